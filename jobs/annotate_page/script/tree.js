// Trees of pages, paths to their nodes, and their text.

// An element is {tag, attributes, kids, built}, a text {text}; both have
// {parent, position, order} and, once built, {dom}. Gaps are `gap` of the
// element that follows.
const SPACE = /[ \t\n\f\r\u00a0]/;
// No value: a reader sees nothing of it.
const isBlank = (text) => /^[\s\u0085\u180e\u200b-\u200d\u2060]*$/.test(text);
const normalize = (text) => text.replace(/[ \t\n\f\r\u00a0]+/g, ' ').replace(/^ | $/g, '');

const makeTree = (items) => {
  let order = 0;
  const fill = (parent, list, from) => {
    const counts = new Map();
    let gap = false;
    for (let i = from; i < list.length; ++i) {
      const item = list[i];
      if (item === 1) { gap = true; continue; }
      const isText = typeof item === 'string';
      const name = isText ? 'text()' : item[0];
      const position = (counts.get(name) ?? 0) + 1;
      counts.set(name, position);
      const node = {parent, position, order: order++, gap, dom: null};
      gap = false;
      if (isText) {
        node.text = item;
      } else {
        node.tag = name;
        node.built = item.length > 1;
        node.attributes = new Map(node.built ? Object.entries(item[1]) : []);
        node.kids = [];
        if (node.built) fill(node, item, 2);
      }
      parent.kids.push(node);
    }
  };
  const root = {tag: '', kids: [], parent: null};
  fill(root, items, 0);
  return root;
};

const trees = new Map();  // page index -> promise of a tree; the last few
const treeOf = (page) => {
  let tree = trees.get(page.index);
  if (tree) {
    trees.delete(page.index);
  } else {
    tree = (async () => {
      const text = atob(page.source.textContent);
      const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(
        new DecompressionStream('gzip'));
      return makeTree(JSON.parse(await new Response(stream).text()));
    })();
  }
  trees.set(page.index, tree);
  if (trees.size > 6) trees.delete(trees.keys().next().value);
  return tree;
};

const pathOf = (node, attribute) => {
  let path = attribute ? `/@${attribute}` : '';
  for (; node.parent; node = node.parent) {
    path = `/${node.tag ?? 'text()'}[${node.position}]${path}`;
  }
  return path;
};

// {node, attribute} of a path as pathOf() writes it; null for other paths, and
// where it leads nowhere.
const STEP = /^(text\(\)|[^@[\]()]+)\[([1-9]\d*)\]$/;
const isPath = (path) => {
  if (typeof path !== 'string' || !path.startsWith('/')) return false;
  const parts = path.slice(1).split('/');
  if (parts.length > 1 && /^@[^@[\]()]+$/.test(parts.at(-1))) parts.pop();
  return parts.every((part) => STEP.test(part));
};
const resolve = (root, path) => {
  if (!isPath(path)) return null;
  let node = root;
  for (const part of path.slice(1).split('/')) {
    if (part.startsWith('@')) return node.kids ? {node, attribute: part.slice(1)} : null;
    const [, name, position] = STEP.exec(part);
    node = node.kids?.find((kid) => (kid.tag ?? 'text()') === name &&
                                    kid.position === Number(position));
    if (!node) return null;
  }
  return {node, attribute: null};
};

const HIDDEN = new Set(['head', 'style']);
const INLINE = new Set(('a abbr acronym b bdi bdo big cite code data del dfn em ' +
  'font i ins kbd label mark nobr q s samp small span strike strong sub sup time ' +
  'tt u var wbr').split(' '));

// The text of a node as a reader sees it, white space normalised, and for each
// of its characters the text node and offset it comes from.
const gather = (root) => {
  let text = '';
  const at = [];
  let space = false;
  const visit = (node) => {
    space ||= node.gap;
    if (node.text !== undefined) {
      for (let i = 0; i < node.text.length; ++i) {
        const c = node.text[i];
        if (SPACE.test(c)) { space = true; continue; }
        if (space && text) { text += ' '; at.push([node, i]); }
        space = false;
        text += c;
        at.push([node, i]);
      }
      return;
    }
    if (!node.built || (node !== root && HIDDEN.has(node.tag))) return;
    const block = !INLINE.has(node.tag);
    if (block) space = true;
    node.kids.forEach(visit);
    if (block) space = true;
  };
  visit(root);
  return {text, at};
};
const textOf = (node) =>
  node.text !== undefined ? normalize(node.text) : gather(node).text;

// White space does not count when values are looked for, but a value begins and
// ends where words, or nodes, do. Letters are those of scripts that are written
// with spaces.
const squeeze = (text) => text.replace(/[ \t\n\f\r\u00a0]+/g, '');
const isWord = (c) => /^[0-9a-zA-Z\u00c0-\u07ff]$/.test(c);

// [begin, end] of a value in a gathered text: where it stands as whole words,
// else where it stands first; null if it does not.
const placeIn = ({text, at}, value) => {
  if (value === text) return [0, text.length];
  const offsets = [];  // of what is not white space
  for (let i = 0; i < text.length; ++i) if (text[i] !== ' ') offsets.push(i);
  const squeezed = squeeze(text);
  const wanted = squeeze(value);
  if (!wanted) return null;
  const isBoundary = (i) => i === 0 || i === squeezed.length ||
    offsets[i] !== offsets[i - 1] + 1 || at[offsets[i]][0] !== at[offsets[i - 1]][0] ||
    !(isWord(squeezed[i - 1]) && isWord(squeezed[i]));
  const first = squeezed.indexOf(wanted);
  let begin = first;
  while (begin >= 0 && !(isBoundary(begin) && isBoundary(begin + wanted.length))) {
    begin = squeezed.indexOf(wanted, begin + 1);
  }
  if (begin < 0) begin = first;
  return begin < 0 ? null : [offsets[begin], offsets[begin + wanted.length - 1] + 1];
};

// The text of a page without its white space: {text, starts, segments}.
// `starts` has the offsets where a text or, after white space, a word begins;
// segments are {node, begin, end} of the texts.
const pageTexts = new WeakMap();  // by root
const pageTextOf = (root) => {
  const known = pageTexts.get(root);
  if (known) return known;
  const parts = [];
  const starts = new Set();
  const segments = [];
  let length = 0;
  const visit = (node) => {
    if (node.text !== undefined) {
      const begin = length;
      for (const word of node.text.split(/[ \t\n\f\r\u00a0]+/)) {
        if (!word) continue;
        starts.add(length);
        parts.push(word);
        length += word.length;
      }
      if (length > begin) segments.push({node, begin, end: length});
    } else if (node === root || (node.built && node.tag !== 'style')) {
      node.kids.forEach(visit);
    }
  };
  visit(root);
  const made = {text: parts.join(''), starts, segments};
  pageTexts.set(root, made);
  return made;
};

// The places where a page says a value as whole words, the best kind only:
// whole texts, else whole elements, attributes, parts of texts, parts of
// elements. {node, attribute, isWholeText}.
const findValue = (root, value) => {
  const {text, starts, segments} = pageTextOf(root);
  const wanted = squeeze(value);
  if (!wanted) return [];
  const kinds = {wholeTexts: [], wholeElements: [], attributes: [], parts: [],
                 partsOfElements: []};
  const isBoundary = (offset) => offset === 0 || offset >= text.length ||
    starts.has(offset) || !(isWord(text[offset - 1]) && isWord(text[offset]));
  const segmentAt = (offset) => {
    let low = 0;
    for (let high = segments.length; high - low > 1;) {
      const middle = (low + high) >> 1;
      if (segments[middle].begin <= offset) low = middle; else high = middle;
    }
    return low;
  };
  const add = (list, node) => {
    if (list.at(-1)?.node !== node) {
      list.push({node, attribute: null, isWholeText: list === kinds.wholeTexts});
    }
  };
  for (let begin = text.indexOf(wanted); begin >= 0;
       begin = text.indexOf(wanted, begin + 1)) {
    const end = begin + wanted.length;
    if (!isBoundary(begin) || !isBoundary(end)) continue;
    const first = segmentAt(begin);
    const last = segmentAt(end - 1);
    const fits = segments[first].begin === begin && segments[last].end === end;
    if (first === last) {
      add(fits ? kinds.wholeTexts : kinds.parts, segments[first].node);
      continue;
    }
    const isInside = (element, segment) => {
      let node = segments[segment]?.node;
      while (node && node !== element) node = node.parent;
      return Boolean(node);
    };
    let element = segments[first].node.parent;
    while (!isInside(element, last)) element = element.parent;
    const isWhole = fits && !isInside(element, first - 1) && !isInside(element, last + 1);
    add(isWhole ? kinds.wholeElements : kinds.partsOfElements, element);
  }
  const visit = (node) => {
    if (!node.kids || (node !== root && !node.built)) return;
    for (const [name, given] of node.attributes ?? []) {
      if (VALUE_ATTRIBUTES.has(name) && normalize(given) === value) {
        kinds.attributes.push({node, attribute: name, isWholeText: false});
      }
    }
    node.kids.forEach(visit);
  };
  if (!kinds.wholeTexts.length && !kinds.wholeElements.length) visit(root);
  return Object.values(kinds).find((list) => list.length) ?? [];
};
