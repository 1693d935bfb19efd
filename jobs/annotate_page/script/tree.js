// Trees of pages, paths to their nodes, and their text.

// An element is {tag, attributes, kids, built}, a text {text}; both have
// {parent, position, order} and, once built, {dom}. Gaps are `gap` of the
// element that follows.
const SPACE = /[ \t\n\f\r\u00a0]/;
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

// {node, attribute} of a path as pathOf() writes it, or null.
const resolve = (root, path) => {
  if (!path || !path.startsWith('/')) return null;
  let node = root;
  for (const part of path.slice(1).split('/')) {
    if (part.startsWith('@')) return {node, attribute: part.slice(1)};
    const match = /^(.+?)(?:\[(\d+)\])?$/.exec(part);
    const position = Number(match[2] ?? 1);
    node = node.kids?.find((kid) => (kid.tag ?? 'text()') === match[1] &&
                                    kid.position === position);
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

// All text nodes that are shown.
const shownTexts = (root) => {
  const texts = [];
  const visit = (node) => {
    if (node.text !== undefined) texts.push(node);
    else if (node === root || (node.built && node.tag !== 'style')) node.kids.forEach(visit);
  };
  visit(root);
  return texts;
};

// The places where a value stands: whole texts, else parts of texts, else
// whole elements, else attributes.
const findValue = (root, value) => {
  const texts = shownTexts(root);
  const whole = texts.filter((node) => normalize(node.text) === value);
  if (whole.length) return whole.map((node) => ({node, attribute: null}));
  const parts = texts.filter((node) => normalize(node.text).includes(value));
  if (parts.length) return parts.map((node) => ({node, attribute: null}));
  const found = [];
  const visit = (node) => {
    if (!node.kids || (node !== root && !node.built)) return;
    for (const [name, text] of node.attributes ?? []) {
      if (normalize(text) === value && VALUE_ATTRIBUTES.has(name)) {
        found.push({node, attribute: name});
      }
    }
    node.kids.forEach(visit);
  };
  visit(root);
  if (found.length) return found;
  let node = root;
  for (;;) {  // the smallest element that holds the value
    const kid = node.kids?.find((kid) => kid.built && gather(kid).text.includes(value));
    if (!kid) break;
    node = kid;
  }
  return node === root ? [] : [{node, attribute: null}];
};
