// The annotation page of one site. Sections, in order: the data, the state and
// its history, trees and paths, building a page, pointing, drawing, giving
// values, the panel, import and export, keys, moving about.
//
// The sampled pages are hostile. Their text reaches the document only through
// text nodes and attribute values of elements that can do nothing, in a frame
// without scripts whose policy lets it load nothing.
'use strict';
(() => {

const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// ---------------------------------------------------------------- the data

const data = JSON.parse($('data').textContent);
const treeElements = document.getElementsByClassName('tree');
const frameCss = $('frame-css').textContent;
const clusters = data.clusters.filter((cluster) => cluster.pages.length > 0);
const pages = [];  // of all clusters, in order
{
  let tree = 0;
  for (const cluster of data.clusters) {
    cluster.first = pages.length;
    for (const page of cluster.pages) {
      pages.push({url: page.url, rank: page.rank, cluster,
                  source: treeElements[tree++], index: pages.length});
    }
    cluster.pages = pages.slice(cluster.first);
  }
}
const pageOfUrl = new Map(pages.map((page) => [page.url, page]));

const COLOURS = ['#1d6fd1', '#c2410c', '#15803d', '#9333ea', '#be185d', '#0f766e',
                 '#a16207', '#4338ca', '#b91c1c', '#4d7c0f', '#0e7490', '#7c2d12'];
const colourOf = (index) => COLOURS[index % COLOURS.length];

const count = (number, noun) =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

// ------------------------------------------------------ state and history

// pages: url -> attribute -> {values: [{value, xpath, negative, rest}], absent}.
// `rest` holds members of an imported line that this page does not use.
// `extra` holds imported lines that fit nothing here; they are exported again.
let state = {pages: new Map(), skip: new Set(), extra: [], attributes: []};
const undone = [];
const done = [];
const EMPTY = Object.freeze({values: Object.freeze([]), absent: false});

const attributes = () => data.schema ? data.schema.attributes : state.attributes;
const recordOf = (url, name) => state.pages.get(url)?.get(name) ?? EMPTY;
const isKnown = (url, name) => {
  const record = recordOf(url, name);
  return record.absent || record.values.some((value) => !value.negative);
};

const freeze = (map) => [...map].map(([name, record]) => [name, record]);
const serialize = () => JSON.stringify({
  pages: [...state.pages].map(([url, map]) => [url, freeze(map)]),
  skip: [...state.skip], extra: state.extra, attributes: state.attributes});
const deserialize = (text) => {
  const stored = JSON.parse(text);
  return {pages: new Map(stored.pages.map(([url, map]) => [url, new Map(map)])),
          skip: new Set(stored.skip), extra: stored.extra,
          attributes: stored.attributes};
};

// A scope is what one step of the history changes: a page, a cluster, all.
const take = (scope) =>
  scope.url !== undefined ? JSON.stringify(freeze(state.pages.get(scope.url) ?? []))
  : scope.cluster !== undefined ? state.skip.has(scope.cluster)
  : serialize();
const restore = (scope, taken) => {
  if (scope.url !== undefined) {
    const map = new Map(JSON.parse(taken));
    if (map.size) state.pages.set(scope.url, map); else state.pages.delete(scope.url);
  } else if (scope.cluster !== undefined) {
    if (taken) state.skip.add(scope.cluster); else state.skip.delete(scope.cluster);
  } else {
    state = deserialize(taken);
  }
};

// Runs `action`, which changes the state within `scope`, as one step.
const change = (scope, action) => {
  const before = take(scope);
  const place = {page: current.page, attribute: current.attribute};
  action();
  const after = take(scope);
  if (before === after) return false;
  done.push({scope, before, after, place});
  if (done.length > 1000) done.shift();
  undone.length = 0;
  save();
  return true;
};
const step = (from, to, which, word) => {
  const entry = from.pop();
  if (!entry) { toast(`Nothing to ${word}`); return; }
  restore(entry.scope, entry[which]);
  to.push(entry);
  current.last = null;
  const {page, attribute} = entry.place;
  save();
  if (page !== current.page) {
    showPage(page, attribute);
  } else {
    current.attribute = Math.min(attribute, attributes().length - 1);
    render();
  }
  toast(word === 'undo' ? 'Undone' : 'Done again');
};
const undo = () => step(done, undone, 'before', 'undo');
const redo = () => step(undone, done, 'after', 'redo');

const storageKey = `trommel-annotate/${data.site}/${data.digest}`;
let exported = '';  // the lines of the last export or import
let stored = false;
const save = () => {
  const sign = $('saved');
  try {
    localStorage.setItem(storageKey, JSON.stringify({state: serialize(), exported}));
    stored = true;
    sign.textContent = '✓ saved';
    sign.title = 'Kept in this browser after every change';
    sign.className = '';
  } catch (error) {
    stored = false;
    sign.textContent = 'not saved!';
    sign.title = 'This browser keeps nothing here: export before closing';
    sign.className = 'bad';
  }
};
const load = () => {
  try {
    const text = localStorage.getItem(storageKey);
    if (!text) return;
    const saved = JSON.parse(text);
    state = deserialize(saved.state);
    exported = saved.exported;
  } catch (error) {
    // Storage is switched off, or something else wrote there.
  }
};

// --------------------------------------------------------- trees and paths

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

// --------------------------------------------------------- building a page

// Elements built as they are. The others become a span, or what AS says, with
// their tag in data-t: look-alikes that can neither act nor load.
const PLAIN = new Set(('a abbr acronym address article aside b bdi bdo big ' +
  'blockquote br caption center cite code col colgroup data dd del dfn dir div ' +
  'dl dt em fieldset figcaption figure font footer h1 h2 h3 h4 h5 h6 header ' +
  'hgroup hr i ins kbd label legend li main mark menu nav nobr ol p pre q rp rt ' +
  'ruby s samp section small span strike strong sub sup table tbody td tfoot th ' +
  'thead time tr tt u ul var wbr').split(' '));
const AS = {form: 'div', details: 'div', summary: 'div', dialog: 'div', search: 'div',
            marquee: 'div', listing: 'pre', xmp: 'pre', plaintext: 'pre',
            frameset: 'div'};
const LOOKS = new Set(('align bgcolor border cellpadding cellspacing class color ' +
  'colspan dir face hidden id lang nowrap reversed rowspan span start style ' +
  'valign').split(' '));
const LOOKS_OF = {width: 'table td th col colgroup hr pre', height: 'table td th tr',
                  size: 'font hr', type: 'ol ul li', value: 'li'};
const PICTURES = new Set(['img', 'image', 'video', 'audio', 'canvas', 'svg']);
const VALUE_ATTRIBUTES = new Set(['src', 'data-src', 'data-original', 'href', 'alt',
                                  'title', 'content', 'datetime', 'value']);

// The frame's policy loads nothing; without addresses it need not say so.
const withoutAddresses = (css) => css
  .replace(/url\(\s*("[^"]*"|'[^']*'|[^)]*)\)/gi, 'none')
  .replace(/@import\b[^;]*;?/gi, '');

const setLooks = (element, node) => {
  for (const [name, value] of node.attributes) {
    if (LOOKS.has(name) || LOOKS_OF[name]?.split(' ').includes(node.tag)) {
      element.setAttribute(name, name === 'style' ? withoutAddresses(value) : value);
    }
  }
};

// Menus, which pages lay out in lines by style sheets of their own files: lists
// of short links.
const isMenu = (node) => {
  const items = node.kids.filter((kid) => kid.tag === 'li');
  if (items.length < 3) return false;
  const linked = items.filter((item) => item.kids.some((kid) =>
    kid.tag === 'a' || kid.kids?.some((inner) => inner.tag === 'a')));
  return linked.length >= .8 * items.length &&
    items.every((item) => textOf(item).length <= 60);
};
const hasOtherStyles = (root) => {
  const head = root.kids.find((kid) => kid.tag === 'html')?.kids
    .find((kid) => kid.tag === 'head');
  return Boolean(head?.kids.some((kid) => kid.tag === 'link'));
};

const fileNameOf = (url) => {
  const path = url.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 40);
};
const lengthOf = (text) => {
  const match = /^\s*(\d{1,5}(?:\.\d+)?)\s*(px|%)?/.exec(text ?? '');
  return match ? match[1] + (match[2] === '%' ? '%' : 'px') : '';
};

const dressPicture = (element, node) => {
  const width = lengthOf(node.attributes.get('width'));
  const height = lengthOf(node.attributes.get('height'));
  if (width) element.style.width = width;
  if (height && !height.endsWith('%')) element.style.height = height;
  const source = node.attributes.get('src') ?? node.attributes.get('data-src') ?? '';
  const label = normalize(node.attributes.get('alt') ?? '') ||
    (source.startsWith('data:') ? '' : fileNameOf(source)) || node.tag;
  element.setAttribute('data-label', label.slice(0, 80));
  const small = (size, limit) => size.endsWith('px') && parseFloat(size) < limit;
  if (small(width, 40) || small(height, 16)) element.setAttribute('data-small', '');
};

const dressInput = (element, node) => {
  const type = (node.attributes.get('type') ?? '').toLowerCase();
  const kind = type === 'hidden' ? 'hidden'
    : ['submit', 'button', 'reset', 'image'].includes(type) ? 'button'
    : ['checkbox', 'radio'].includes(type) ? 'tick' : 'text';
  element.setAttribute('data-kind', kind);
  if (kind === 'tick') return;
  element.setAttribute('data-label', type === 'password' ? '' :
    node.attributes.get('value') || node.attributes.get('placeholder') ||
    node.attributes.get('alt') || '');
};

// Builds a tree in an empty document. The result has the source node of every
// node built.
const buildInto = (frameDocument, root) => {
  const sources = new Map();
  const menus = hasOtherStyles(root);
  const makeElement = (node) => {
    const plain = PLAIN.has(node.tag);
    const element = frameDocument.createElement(
      plain ? node.tag : Object.hasOwn(AS, node.tag) ? AS[node.tag] : 'span');
    if (!plain) element.setAttribute('data-t', node.tag);
    setLooks(element, node);
    if (node.tag === 'a' && node.attributes.has('href')) element.setAttribute('data-link', '');
    if (PICTURES.has(node.tag)) dressPicture(element, node);
    if (node.tag === 'input') dressInput(element, node);
    if (menus && (node.tag === 'ul' || node.tag === 'ol') && isMenu(node)) {
      element.setAttribute('data-menu', '');
    }
    if (node.tag === 'dialog' && !node.attributes.has('open')) element.hidden = true;
    if (node.tag === 'select') {
      const options = [];
      const visit = (kid) => {
        if (kid.tag === 'option') options.push(kid); else kid.kids?.forEach(visit);
      };
      node.kids.forEach(visit);
      node.chosen = options.find((kid) => kid.attributes.has('selected')) ?? options[0];
      if (node.chosen) node.chosen.isChosen = true;
    }
    if (node.isChosen) element.setAttribute('data-chosen', '');
    return element;
  };
  const addStyle = (node, parent) => {
    const style = frameDocument.createElement('style');
    if (node.attributes.has('media')) style.media = node.attributes.get('media');
    style.textContent = withoutAddresses(node.kids.map((kid) => kid.text ?? '').join(''));
    parent.append(style);
  };
  const build = (node, parent) => {
    if (node.text !== undefined) {
      node.dom = frameDocument.createTextNode(node.text);
      sources.set(node.dom, node);
      parent.append(node.dom);
      return;
    }
    if (node.gap) parent.append(frameDocument.createTextNode(' '));
    if (!node.built) return;
    if (node.tag === 'style') { addStyle(node, parent); return; }
    const element = makeElement(node);
    node.dom = element;
    sources.set(element, node);
    if (!PICTURES.has(node.tag) || node.tag === 'svg') {
      for (const kid of node.kids) build(kid, element);
    }
    parent.append(element);
  };
  const use = (element, node) => {
    setLooks(element, node);
    node.dom = element;
    sources.set(element, node);
  };
  for (const html of root.kids.filter((kid) => kid.tag === 'html')) {
    use(frameDocument.documentElement, html);
    for (const part of html.kids) {
      if (part.tag === 'head') {
        for (const kid of part.kids) {
          if (kid.tag === 'style' && kid.built) addStyle(kid, frameDocument.head);
        }
      } else if (part.tag === 'body') {
        use(frameDocument.body, part);
        for (const kid of part.kids) build(kid, frameDocument.body);
      } else {
        build(part, frameDocument.body);
      }
    }
  }
  return sources;
};

const FRAME = '<!DOCTYPE html><html><head><meta http-equiv="Content-Security-Policy" ' +
  'content="default-src \'none\'; style-src \'unsafe-inline\'; base-uri \'none\'; ' +
  'form-action \'none\'"></head><body></body></html>';

const openFrame = () => new Promise((loaded) => {
  const frame = make('iframe');
  frame.setAttribute('sandbox', 'allow-same-origin');
  frame.setAttribute('tabindex', '-1');
  frame.setAttribute('title', 'The page');
  frame.referrerPolicy = 'no-referrer';
  frame.style.width = `${$('pane').clientWidth}px`;
  frame.addEventListener('load', () => loaded(frame), {once: true});
  frame.srcdoc = FRAME;
  $('frame-place').replaceChildren(frame);
});

// Boxes that stay in place while a page scrolls would cover the text.
const unpin = (frameDocument) => {
  const view = frameDocument.defaultView;
  // Computed styles of all elements take time; most pages have no such boxes.
  const pins = /fixed|sticky|\\/i;
  if (![...frameDocument.getElementsByTagName('style')].slice(1)
        .some((style) => pins.test(style.textContent)) &&
      ![...frameDocument.querySelectorAll('[style]')]
        .some((element) => pins.test(element.getAttribute('style')))) {
    return;
  }
  for (const element of frameDocument.body.getElementsByTagName('*')) {
    const position = view.getComputedStyle(element).position;
    if (position === 'fixed' || position === 'sticky') {
      element.style.setProperty('position', 'static', 'important');
    }
  }
};

// The frame gets the size of what is in it, so that the pane scrolls.
const MAX_HEIGHT = 200000;
const fitFrame = () => {
  const {frame} = current;
  if (!frame) return;
  const pane = $('pane');
  const stage = $('stage');
  const root = frame.contentDocument.documentElement;
  // The pane without the scroll bar that the last page may have needed.
  const scroll = [pane.scrollLeft, pane.scrollTop];
  stage.style.width = stage.style.height = '0';
  stage.style.overflow = 'hidden';
  frame.style.width = `${pane.clientWidth}px`;
  frame.style.height = `${pane.clientHeight}px`;
  const width = Math.max(pane.clientWidth, Math.min(root.scrollWidth, 4000));
  frame.style.width = `${width}px`;
  let height = 0;
  for (let round = 0; round < 2; ++round) {  // heights may depend on the frame's
    height = Math.max(root.scrollHeight, pane.clientHeight);
    height = Math.min(height, MAX_HEIGHT);
    frame.style.height = `${height}px`;
    if (root.scrollHeight <= height) break;
  }
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  stage.style.overflow = '';
  pane.scrollTo(...scroll);
};

// ----------------------------------------------------------------- pointing

const current = {page: 0, attribute: 0, frame: null, root: null, sources: new Map(),
                 pointer: null, hit: null, level: 0, pick: 0, drag: null, last: null,
                 all: false};

const contains = (rect, x, y) =>
  x >= rect.left - 1 && x <= rect.right + 1 && y >= rect.top - 1 && y <= rect.bottom + 1;

// The source text or picture at a point of the frame, or null.
const hitAt = (x, y) => {
  const frameDocument = current.frame?.contentDocument;
  if (!frameDocument) return null;
  const range = frameDocument.createRange();
  for (const element of frameDocument.elementsFromPoint(x, y).slice(0, 12)) {
    for (const kid of element.childNodes) {
      if (kid.nodeType !== Node.TEXT_NODE || !current.sources.has(kid)) continue;
      range.selectNodeContents(kid);
      for (const rect of range.getClientRects()) {
        if (contains(rect, x, y)) return current.sources.get(kid);
      }
    }
    const source = current.sources.get(element);
    if (source && (PICTURES.has(source.tag) || source.tag === 'input')) return source;
  }
  return null;
};

const caretAt = (x, y) => {
  const frameDocument = current.frame.contentDocument;
  if (frameDocument.caretPositionFromPoint) {
    const caret = frameDocument.caretPositionFromPoint(x, y);
    return caret && {dom: caret.offsetNode, offset: caret.offset};
  }
  const range = frameDocument.caretRangeFromPoint?.(x, y);
  return range && {dom: range.startContainer, offset: range.startOffset};
};

const linkOf = (node) => {
  for (; node; node = node.parent) {
    if (node.tag === 'a' && node.attributes.get('href')) return node;
  }
  return null;
};

// What a node can give, the likeliest for the attribute's type first.
const offersOf = (hit, type) => {
  const offers = [];
  const offer = (node, attribute) => {
    const value = attribute ? normalize(node.attributes.get(attribute) ?? '') : textOf(node);
    if (value) offers.push({node, attribute, value});
  };
  const element = hit.text !== undefined ? hit.parent : hit;
  const link = linkOf(element);
  const text = () => { if (hit.text !== undefined) offer(hit, null); };
  const picture = () => {
    if (hit.text !== undefined) return;
    const inline = (hit.attributes.get('src') ?? '').startsWith('data:');
    if (!inline) offer(hit, 'src');
    offer(hit, 'data-src');
    offer(hit, 'data-original');
    if (inline) offer(hit, 'src');
  };
  const address = () => { if (link) offer(link, 'href'); };
  const others = () => {
    for (const name of ['alt', 'value', 'content', 'datetime', 'title']) {
      if (element.attributes) offer(element, name);
    }
  };
  const order = type === 'URL' ? [address, picture, text, others]
    : type === 'IMAGE' ? [picture, address, text, others]
    : [text, others, picture, address];
  for (const add of order) add();
  return offers;
};

const widened = (node, level) => {
  for (; level > 0; --level) {
    const text = textOf(node);
    let wider = node.parent;
    while (wider?.parent && textOf(wider) === text) wider = wider.parent;
    if (!wider?.parent || wider.tag === 'html') break;
    node = wider;
  }
  return node;
};

const typeOf = (attribute) => attribute?.type ?? 'TEXT';

// What a click would give now: {node, attribute, value}, or null.
const targetNow = () => {
  if (!current.hit) return null;
  const offers = offersOf(current.hit, typeOf(attributes()[current.attribute]));
  if (!offers.length) return null;
  const offer = offers[current.pick % offers.length];
  if (offer.attribute || !current.level) return offer;
  const node = widened(offer.node, current.level);
  return {node, attribute: null, value: textOf(node)};
};

const UNTIDY = /^[\s,;:|([{]+|[\s,;:|)\]}]+$/g;
const wordTarget = (x, y) => {
  const caret = caretAt(x, y);
  const node = caret && current.sources.get(caret.dom);
  if (!node || node.text === undefined || node !== current.hit) return null;
  const word = [caret.offset, caret.offset];
  while (word[0] > 0 && !SPACE.test(node.text[word[0] - 1])) --word[0];
  while (word[1] < node.text.length && !SPACE.test(node.text[word[1]])) ++word[1];
  const last = current.last;
  if (last?.word && last.node === node) {
    word[0] = Math.min(word[0], last.word[0]);
    word[1] = Math.max(word[1], last.word[1]);
  }
  const part = node.text.slice(...word).replace(UNTIDY, '');
  const value = normalize(part);
  return value ? {node, attribute: null, value, word} : null;
};

// What was dragged over: a part of one text, or of the smallest element that
// holds both ends.
const dragTarget = () => {
  const {from, to} = current.drag;
  if (!from || !to) return null;
  const ends = [from, to].map(({dom, offset}) => ({node: current.sources.get(dom), offset}));
  if (ends.some(({node}) => !node || node.text === undefined)) return null;
  ends.sort((a, b) => a.node.order - b.node.order || a.offset - b.offset);
  const [first, last] = ends;
  let node = first.node;
  if (node !== last.node) {
    const above = new Set();
    for (let up = first.node.parent; up; up = up.parent) above.add(up);
    for (node = last.node.parent; !above.has(node); node = node.parent) { /* up */ }
  }
  const {text, at} = gather(node);
  const inside = ([source, offset]) =>
    (source.order > first.node.order || (source === first.node && offset >= first.offset)) &&
    (source.order < last.node.order || (source === last.node && offset < last.offset));
  const begin = at.findIndex(inside);
  if (begin < 0) return null;
  let end = begin;
  while (end < at.length && inside(at[end])) ++end;
  const value = normalize(text.slice(begin, end));
  return value ? {node, attribute: null, value} : null;
};

// ------------------------------------------------------------------ drawing

// The rectangles of a value at its place, in the frame's pixels.
const rectsOf = ({node, attribute, value}) => {
  const frameDocument = current.frame.contentDocument;
  const range = frameDocument.createRange();
  const visible = (rects) => [...rects].filter((rect) => rect.width > 0 && rect.height > 0);
  if (attribute || (node.text === undefined && !node.kids.length)) {
    let element = node.dom;
    if (!element) return [];
    const rects = visible(element.getClientRects());
    if (rects.length && node.kids.length) {
      // An inline element around a picture is as high as a line only.
      for (const kid of element.children) rects.push(...visible(kid.getClientRects()));
      return [unite(rects)];
    }
    return rects;
  }
  const {text, at} = gather(node);
  let begin = value === undefined ? 0 : text.indexOf(value);
  let end = begin + (value === undefined ? text.length : value.length);
  if (begin < 0) { begin = 0; end = text.length; }
  const rects = [];
  for (let i = begin; i < end;) {
    const [source, offset] = at[i];
    let j = i;
    while (j < end && at[j][0] === source) ++j;
    if (source.dom) {
      range.setStart(source.dom, offset);
      range.setEnd(source.dom, at[j - 1][1] + 1);
      rects.push(...visible(range.getClientRects()));
    }
    i = j;
  }
  return node.text === undefined && rects.length > 1 ? [unite(rects)] : mergeLines(rects);
};
const unite = (rects) => {
  const left = Math.min(...rects.map((r) => r.left));
  const top = Math.min(...rects.map((r) => r.top));
  const right = Math.max(...rects.map((r) => r.right));
  const bottom = Math.max(...rects.map((r) => r.bottom));
  return {left, top, right, bottom, width: right - left, height: bottom - top};
};
const mergeLines = (rects) => {
  const lines = [];
  for (const rect of rects) {
    const line = lines.at(-1);
    if (line && Math.abs(line.top - rect.top) < 3 && Math.abs(line.bottom - rect.bottom) < 3) {
      lines[lines.length - 1] = unite([line, rect]);
    } else {
      lines.push(rect);
    }
  }
  return lines;
};

const place = (element, rect, grow) => {
  element.style.left = `${rect.left - grow}px`;
  element.style.top = `${rect.top - grow}px`;
  element.style.width = `${rect.width + 2 * grow}px`;
  element.style.height = `${rect.height + 2 * grow}px`;
};

// Whether there is room for a label to the right of a box.
const isFree = (rect, width) => {
  const y = rect.top + rect.height / 2;
  if (rect.right + width + 12 > $('stage').clientWidth) return false;
  return [10, width / 2, width].every((x) => !hitAt(rect.right + x, y));
};

const drawBoxes = () => {
  const layer = $('boxes');
  const drawn = [];
  const tagPlaces = new Map();
  if (current.frame && current.root) {
    const page = pages[current.page];
    attributes().forEach((attribute, index) => {
      const record = recordOf(page.url, attribute.name);
      const add = (spot, kind, word) => {
        const rects = rectsOf(spot);
        for (const rect of rects) {
          const box = make('div', `box ${kind}${index === current.attribute ? ' current' : ''}`);
          box.style.setProperty('--colour', colourOf(index));
          box.dataset.attribute = attribute.name;
          place(box, rect, 2);
          drawn.push(box);
        }
        if (!rects.length) return;
        const width = word.length * 6.5 + 14;
        const last = rects.at(-1);
        const aside = rects.length === 1 && last.height < 40 && isFree(last, width);
        // Labels of values in one place stand side by side.
        const key = `${Math.round(rects[0].left)},${Math.round(rects[0].top)}`;
        const shift = tagPlaces.get(key) ?? 0;
        tagPlaces.set(key, shift + width);
        const tag = make('div', `tag ${kind}${aside ? ' aside' : ''}`, word);
        tag.style.setProperty('--colour', colourOf(index));
        tag.style.left = `${(aside ? last.right + 6 : rects[0].left - 2) + shift}px`;
        tag.style.top = aside ? `${last.top + last.height / 2 - 7.5}px`
                              : `${Math.max(0, rects[0].top - 17)}px`;
        drawn.push(tag);
      };
      for (const value of record.values) {
        const spot = spotOf(value);
        if (spot) add(spot, value.negative ? 'negative' : 'given',
                      value.negative ? `not ${attribute.name}` : attribute.name);
      }
      if (!isKnown(page.url, attribute.name) && !state.skip.has(page.cluster.id)) {
        for (const spot of suggestionsFor(attribute)) add(spot, 'maybe', `${attribute.name}?`);
      }
    });
  }
  layer.replaceChildren(...drawn);
};

const drawHover = () => {
  const layer = $('hover');
  const target = current.drag?.moved ? dragTarget() : targetNow();
  const attribute = attributes()[current.attribute];
  const status = $('status');
  status.style.setProperty('--colour', attribute ? colourOf(current.attribute) : '');
  $('status-attribute').textContent = attribute?.name ?? 'no attribute';
  $('status-value').textContent = target ? target.value.slice(0, 300)
    : 'Point at a value; click to give it to the attribute';
  const path = target ? pathOf(target.node, target.attribute) : '';
  $('status-path').textContent = path.length > 80 ? `…${path.slice(-79)}` : path;
  $('status-path').title = path;
  const drawn = [];
  if (target) {
    for (const rect of rectsOf(target)) {
      const box = make('div', 'over');
      box.style.setProperty('--colour', colourOf(current.attribute));
      place(box, rect, 2);
      drawn.push(box);
    }
  }
  layer.replaceChildren(...drawn);
};

// Where a value of the shown page stands; a value without path is looked for,
// and gets its path where there is only one place.
const spotOf = (value) => {
  if (value.xpath) {
    const spot = resolve(current.root, value.xpath);
    if (!spot) return null;
    if (!spot.attribute && !gather(spot.node).text.includes(value.value)) return null;
    return {...spot, value: value.value};
  }
  const spots = findValue(current.root, normalize(value.value));
  if (spots.length === 1 && !value.negative) {
    value.xpath = pathOf(spots[0].node, spots[0].attribute);
    save();
  }
  return spots.length ? {...spots[0], value: normalize(value.value)} : null;
};

// --------------------------------------------------------------- suggesting

// Values that stand where the same attribute stands on another page of the
// cluster. They are drawn, and become annotations only when taken.
const suggestionsFor = (attribute) => {
  const page = pages[current.page];
  const own = recordOf(page.url, attribute.name).values;
  const refused = new Set(own.filter((v) => v.negative).map((v) => v.xpath));
  const others = page.cluster.pages
    .filter((other) => other !== page)
    .sort((a, b) => Math.abs(a.index - page.index) - Math.abs(b.index - page.index));
  for (const other of others) {
    const values = recordOf(other.url, attribute.name).values
      .filter((value) => !value.negative && value.xpath);
    if (!values.length) continue;
    let paths = values.map((value) => value.xpath);
    if (attribute.repeated && paths.length > 1) paths = pathsLike(paths) ?? paths;
    const spots = [];
    for (const path of new Set(paths)) {
      const spot = resolve(current.root, path);
      if (!spot || refused.has(path)) continue;
      const sample = values.find((value) => value.xpath === path) ?? {};
      const value = partLike(spot, sample);
      if (value) spots.push({...spot, value});
    }
    if (spots.length) return spots;
  }
  return [];
};

// Paths that differ in one position select whatever stands at any position.
const pathsLike = (paths) => {
  const parts = paths.map((path) => path.split('/'));
  const length = parts[0].length;
  if (parts.some((list) => list.length !== length)) return null;
  const differing = [];
  for (let i = 0; i < length; ++i) {
    if (parts.some((list) => list[i] !== parts[0][i])) differing.push(i);
  }
  if (differing.length !== 1) return null;
  const [index] = differing;
  const name = parts[0][index].replace(/\[\d+\]$/, '');
  if (parts.some((list) => list[index].replace(/\[\d+\]$/, '') !== name)) return null;
  const parent = resolve(current.root, parts[0].slice(0, index).join('/'));
  if (!parent) return null;
  return (parent.node.kids ?? []).filter((kid) => (kid.tag ?? 'text()') === name)
    .map((kid) => [...parts[0].slice(0, index), `${name}[${kid.position}]`,
                   ...parts[0].slice(index + 1)].join('/'));
};

// The value at a spot, cut like a sample that is a part of its text: behind
// the same words, before the same words.
const partLike = (spot, sample) => {
  if (spot.attribute) return normalize(spot.node.attributes?.get(spot.attribute) ?? '');
  const text = textOf(spot.node);
  const {before = '', after = ''} = sample;
  if (!before && !after) return text;
  const begin = before ? text.indexOf(before) : 0;
  if (begin < 0) return '';
  const rest = text.slice(begin + before.length);
  const end = after ? rest.indexOf(after) : rest.length;
  return end < 0 ? '' : rest.slice(0, end).trim();
};

const takeSuggestions = (indexes) => {
  const page = pages[current.page];
  let taken = 0;
  change({url: page.url}, () => {
    for (const index of indexes) {
      const attribute = attributes()[index];
      if (!attribute || isKnown(page.url, attribute.name)) continue;
      const spots = suggestionsFor(attribute);
      for (const spot of attribute.repeated ? spots : spots.slice(0, 1)) {
        recordFor(page.url, attribute.name).values.push(valueAt(spot));
        ++taken;
      }
    }
  });
  if (!taken) { toast('Nothing to take here: no other page of the cluster has it'); return; }
  advance();
  toast(`Took ${count(taken, 'value')}`);
};

// ------------------------------------------------------------ giving values

const recordFor = (url, name) => {
  if (!state.pages.has(url)) state.pages.set(url, new Map());
  const page = state.pages.get(url);
  if (!page.has(name)) page.set(name, {values: [], absent: false});
  return page.get(name);
};
const tidy = (url, name) => {
  const page = state.pages.get(url);
  const record = page?.get(name);
  if (record && !record.values.length && !record.absent) page.delete(name);
  if (page && !page.size) state.pages.delete(url);
};

// A part of a text remembers what stands around it, for suggestions.
const valueAt = ({node, attribute, value}) => {
  const result = {value, xpath: pathOf(node, attribute)};
  if (!attribute) {
    const text = textOf(node);
    const begin = text.indexOf(value);
    if (begin >= 0 && text !== value) {
      result.before = text.slice(0, begin);
      result.after = text.slice(begin + value.length);
    }
  }
  return result;
};
const same = (a, b) => a.xpath === b.xpath && a.value === b.value;
const sortByPlace = (values) => {
  const order = (value) => resolve(current.root, value.xpath)?.node.order ?? Infinity;
  values.sort((a, b) => order(a) - order(b) || 0);
};

const needAttribute = () => {
  if (attributes()[current.attribute]) return true;
  toast('Name an attribute first');
  $('add-name').focus();
  return false;
};

const give = (target, word) => {
  if (!needAttribute()) return;
  if (!target) { toast('There is no text here'); return; }
  const attribute = attributes()[current.attribute];
  const {url} = pages[current.page];
  const given = valueAt(target);
  let removed = false;
  change({url}, () => {
    const record = recordFor(url, attribute.name);
    const known = record.values.find((value) => same(value, given) && !value.negative);
    record.absent = false;
    const extending = word && current.last?.word && current.last.attribute === attribute.name;
    if (extending) {
      record.values = record.values.filter((value) => !same(value, current.last.value));
    }
    record.values = record.values.filter((value) => !(value.negative && value.xpath === given.xpath));
    if (known && !extending) {
      record.values = record.values.filter((value) => value !== known);
      removed = true;
    } else if (attribute.repeated) {
      record.values.push(given);
      sortByPlace(record.values);
    } else {
      record.values = [...record.values.filter((value) => value.negative), given];
    }
    tidy(url, attribute.name);
  });
  current.last = removed ? null
    : {attribute: attribute.name, value: given, node: target.node, word, hit: current.hit};
  if (!removed && !attribute.repeated && !word) advance(); else render();
};

// On to the next attribute of the page that nothing is known of.
const advance = () => {
  const list = attributes();
  const {url} = pages[current.page];
  for (let i = 1; i <= list.length; ++i) {
    const index = (current.attribute + i) % list.length;
    if (isKnown(url, list[index].name)) continue;
    current.attribute = index;
    render();
    return;
  }
  render();
  if (list.length && list.every(({name}) => isKnown(url, name))) {
    toast('Page complete: → next page, ] next cluster');
  }
};

const giveAbsent = () => {
  if (!needAttribute()) return;
  const {name} = attributes()[current.attribute];
  const {url} = pages[current.page];
  let absent = false;
  change({url}, () => {
    const record = recordFor(url, name);
    absent = record.absent = !record.absent;
    if (absent) record.values = record.values.filter((value) => value.negative);
    tidy(url, name);
  });
  current.last = null;
  if (absent) advance(); else render();
};

const giveNegative = () => {
  const target = targetNow();
  if (!needAttribute()) return;
  if (!target) { toast('Point at what is not the value, then press n'); return; }
  const {name} = attributes()[current.attribute];
  const {url} = pages[current.page];
  const given = {...valueAt(target), negative: true};
  change({url}, () => {
    const record = recordFor(url, name);
    const known = record.values.find((value) => value.negative && same(value, given));
    record.values = record.values.filter((value) => value.xpath !== given.xpath);
    if (!known) record.values.push(given);
    tidy(url, name);
  });
  current.last = null;
  render();
};

const removeValue = (name, value) => {
  const {url} = pages[current.page];
  change({url}, () => {
    const record = recordFor(url, name);
    record.values = record.values.filter((other) => other !== value);
    tidy(url, name);
  });
  current.last = null;
  render();
};
// The value under the pointer, else the attribute's last one.
const removeHere = () => {
  const attribute = attributes()[current.attribute];
  if (!attribute) return;
  const record = recordOf(pages[current.page].url, attribute.name);
  if (record.absent) { giveAbsent(); return; }
  const under = current.hit && record.values.find((value) => {
    const spot = spotOf(value);
    for (let node = current.hit; node && spot; node = node.parent) {
      if (node === spot.node) return true;
    }
    return false;
  });
  const value = under ?? record.values.at(-1);
  if (value) removeValue(attribute.name, value); else toast('No value to remove');
};

// Widens what was just given, or what is pointed at; narrows it again.
const widen = (by) => {
  const last = current.last;
  if (last && !last.word && last.hit && last.hit === current.hit) {
    const level = Math.max(0, (last.level ?? current.level) + by);
    const base = last.hit.text !== undefined ? last.hit : last.node;
    const node = widened(base, level);
    const given = valueAt({node, attribute: null, value: textOf(node)});
    const {url} = pages[current.page];
    change({url}, () => {
      const record = recordFor(url, last.attribute);
      record.values = record.values.map((value) => same(value, last.value) ? given : value);
    });
    current.last = {...last, value: given, node, level};
    render();
    return;
  }
  if (!current.hit) { toast('Point at text first'); return; }
  current.level = Math.max(0, current.level + by);
  while (current.level > 0 &&
         widened(current.hit, current.level) === widened(current.hit, current.level - 1)) {
    --current.level;
  }
  drawHover();
};

const toggleSkip = () => {
  const {cluster} = pages[current.page];
  change({cluster: cluster.id}, () => {
    if (!state.skip.delete(cluster.id)) state.skip.add(cluster.id);
  });
  render();
  toast(state.skip.has(cluster.id) ? 'This cluster is not wanted: ] next cluster'
                                   : 'The cluster is wanted again');
};

// ---------------------------------------------------------------- the panel

const shareOf = (page) => {
  const list = attributes();
  if (!list.length) return 0;
  return list.filter(({name}) => isKnown(page.url, name)).length / list.length;
};
const clusterState = (cluster) => {
  const complete = cluster.pages.filter((page) => shareOf(page) === 1).length;
  const begun = cluster.pages.filter((page) => shareOf(page) > 0).length - complete;
  return {complete, begun, skipped: state.skip.has(cluster.id)};
};

const renderTotal = () => {
  let complete = 0;
  let begun = 0;
  let skipped = 0;
  for (const cluster of clusters) {
    const its = clusterState(cluster);
    if (its.skipped) ++skipped;
    else if (its.complete) ++complete;
    else if (its.begun) ++begun;
  }
  const meter = $('total');
  const share = (part) => `${clusters.length ? 100 * part / clusters.length : 0}%`;
  meter.children[0].style.width = share(complete + skipped);
  meter.children[1].style.width = share(begun);
  const text = `${complete + skipped} of ${count(clusters.length, 'cluster')} done` +
    (skipped ? `, ${skipped} of them skipped` : '');
  $('total-text').textContent = text;
  meter.setAttribute('aria-label', text);
};

const renderCluster = () => {
  const page = pages[current.page];
  const {cluster} = page;
  const its = clusterState(cluster);
  const choice = $('cluster-choice');
  choice.replaceChildren(...clusters.map((other, index) => {
    const mark = clusterState(other);
    const sign = mark.skipped ? ' – skipped' : mark.complete ? ' ✓' : mark.begun ? ' …' : '';
    const option = make('option', '', `Cluster ${index + 1} of ${clusters.length}${sign}`);
    option.selected = other === cluster;
    return option;
  }));
  const index = clusters.indexOf(cluster);
  $('cluster-previous').disabled = index === 0;
  $('cluster-next').disabled = index === clusters.length - 1;
  $('cluster-text').textContent = `${count(cluster.size, 'page')} · ` +
    `${its.complete} of ${count(cluster.pages.length, 'sample')} complete`;
  $('cluster-pattern').textContent = cluster.pattern || cluster.id;
  $('cluster-pattern').title = `Cluster ${cluster.id}\n${cluster.pattern}`;
  $('skip').checked = its.skipped;
  document.body.classList.toggle('skipped', its.skipped);
  $('pages').replaceChildren(...cluster.pages.map((other, number) => {
    const share = shareOf(other);
    const button = make('button', share === 1 ? 'done' : '', String(number + 1));
    button.style.setProperty('--share', share);
    button.title = other.url;
    if (other === page) button.setAttribute('aria-current', 'true');
    button.addEventListener('click', () => showPage(other.index));
    return button;
  }));
};

const kindOf = (value) => {
  if (value.negative) return 'not this';
  const attribute = /\/@([^/]+)$/.exec(value.xpath ?? '');
  if (attribute) return `@${attribute[1]}`;
  if (value.before || value.after) return 'part';
  if (value.xpath && !value.xpath.includes('/text()')) return 'wide';
  return '';
};

const renderAttributes = () => {
  const {url} = pages[current.page];
  $('attribute-list').replaceChildren(...attributes().map((attribute, index) => {
    const record = recordOf(url, attribute.name);
    const item = make('li', `attribute${index === current.attribute ? ' current' : ''}`);
    item.style.setProperty('--colour', colourOf(index));
    item.dataset.name = attribute.name;
    if (index === current.attribute) item.setAttribute('aria-current', 'true');
    const head = make('div', 'head');
    head.append(make('span', 'name', attribute.name));
    if (attribute.mandatory) {
      const must = make('span', 'must', '*');
      must.title = 'mandatory';
      head.append(must);
    }
    if (data.schema) {
      if (attribute.repeated) head.append(make('span', 'mark', 'several'));
      if (attribute.type !== 'TEXT') head.append(make('span', 'type', attribute.type));
    } else {
      const several = make('button', 'mark', attribute.repeated ? 'several' : 'one');
      several.title = 'One value on a page, or several';
      several.addEventListener('click', (event) => {
        event.stopPropagation();
        change({}, () => { attribute.repeated = !attribute.repeated; });
        render();
      });
      head.append(several);
    }
    if (index < 10) head.append(make('kbd', '', String((index + 1) % 10)));
    item.append(head);
    for (const value of record.values) {
      const row = make('div', `value${value.negative ? ' negative' : ''}`);
      const lost = current.root && !spotOf(value);
      if (lost) { row.classList.add('lost'); row.title = 'Not found on this page'; }
      const text = make('span', 'text', value.value);
      text.title = value.xpath ?? 'no path';
      row.append(text, make('span', 'kind', kindOf(value)));
      const remove = make('button', '', '×');
      remove.setAttribute('aria-label', 'Remove this value');
      remove.addEventListener('click', (event) => {
        event.stopPropagation();
        removeValue(attribute.name, value);
      });
      row.append(remove);
      item.append(row);
    }
    if (record.absent) item.append(make('div', 'state absent', 'not on this page'));
    else if (!record.values.length && index === current.attribute) {
      const hint = make('div', 'state', 'Click its value, or ');
      hint.append(make('kbd', '', 'a'), ' if the page has none');
      item.append(hint);
    }
    item.addEventListener('click', () => chooseAttribute(index));
    return item;
  }));
  $('attribute-list').children[current.attribute]?.scrollIntoView({block: 'nearest'});
};

const renderBar = () => {
  const page = pages[current.page];
  const {cluster} = page;
  const number = make('b', '', String(page.index - cluster.first + 1));
  $('page-number').replaceChildren(number, ` of ${cluster.pages.length}`);
  $('page-previous').disabled = current.page === 0;
  $('page-next').disabled = current.page === pages.length - 1;
  const link = $('url');
  link.textContent = page.url;
  link.title = `${page.url} (opens the page as it is on the web now)`;
  if (/^https?:\/\//i.test(page.url)) link.href = page.url; else link.removeAttribute('href');
  const list = attributes();
  const known = list.filter(({name}) => isKnown(page.url, name)).length;
  const complete = list.length > 0 && known === list.length;
  const sign = $('page-state');
  sign.textContent = complete ? 'complete' : `${known} of ${list.length}`;
  sign.className = complete ? 'done' : '';
  const title = titleNode();
  $('page-title').textContent = title ? textOf(title) : '';
  $('page-title').hidden = !title;
  const given = title && list.findIndex(({name}) =>
    recordOf(page.url, name).values.some((value) => value.xpath === pathOf(title)));
  $('page-title').classList.toggle('given', title && given >= 0);
  if (title && given >= 0) $('page-title').style.setProperty('--colour', colourOf(given));
};
const titleNode = () => {
  const html = current.root?.kids.find((kid) => kid.tag === 'html');
  const head = html?.kids.find((kid) => kid.tag === 'head');
  const title = head?.kids.find((kid) => kid.tag === 'title');
  return title?.kids.find((kid) => kid.text !== undefined) ?? null;
};

const render = () => {
  if (!pages.length) return;
  renderTotal();
  renderCluster();
  renderAttributes();
  renderBar();
  drawBoxes();
  drawHover();
  $('undo').disabled = !done.length;
  $('redo').disabled = !undone.length;
  const lines = exportLines();
  $('export').disabled = !lines.length;
  $('export-text').textContent = !lines.length ? 'Nothing annotated yet'
    : `${count(lines.length, 'line')}, ` +
      (exported === lines.join('\n') ? 'all exported' : 'not exported yet');
};

let toastTimer = 0;
const toast = (text) => {
  const element = $('toast');
  element.textContent = text;
  element.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => element.classList.remove('shown'), 2600);
};
const showDialog = (...parts) => {
  $('dialog-body').replaceChildren(...parts);
  if (!$('dialog').open) $('dialog').showModal();
};

// -------------------------------------------------------- import and export

function exportLines() {
  const lines = [];
  const known = new Set(attributes().map(({name}) => name));
  for (const cluster of clusters) {
    if (state.skip.has(cluster.id)) {
      lines.push(JSON.stringify({url: cluster.pages[0].url, skip: true}));
      continue;
    }
    for (const {url} of cluster.pages) {
      const page = state.pages.get(url);
      if (!page) continue;
      const names = [...known].filter((name) => page.has(name))
        .concat([...page.keys()].filter((name) => !known.has(name)));
      for (const name of names) {
        const record = page.get(name);
        if (record.absent) lines.push(JSON.stringify({url, attribute: name, absent: true}));
        for (const {value, xpath, negative, rest} of record.values) {
          const line = {url, attribute: name, value};
          if (xpath) line.xpath = xpath;
          if (negative) line.negative = true;
          lines.push(JSON.stringify({...line, ...rest}));
        }
      }
    }
  }
  return lines.concat(state.extra);
}

const exportFile = () => {
  const lines = exportLines();
  if (!lines.length) { toast('Nothing annotated yet'); return; }
  const blob = new Blob([lines.join('\n') + '\n'], {type: 'application/octet-stream'});
  const address = URL.createObjectURL(blob);
  const link = make('a');
  link.href = address;
  link.download = data.file;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
  exported = lines.join('\n');
  save();
  render();
  toast(`Exported ${count(lines.length, 'line')} to ${data.file}`);
};

// What an imported line says: {url, name, absent, value} or {skip}, or why it
// says nothing here.
const readLine = (text, names) => {
  let line;
  try { line = JSON.parse(text); } catch (error) { return {bad: 'is not JSON'}; }
  if (line === null || typeof line !== 'object' || typeof line.url !== 'string') {
    return {bad: 'has no URL'};
  }
  const page = pageOfUrl.get(line.url);
  if (!page) return {other: `is of another page: ${line.url}`};
  if (line.skip === true) return {skip: page.cluster.id};
  if (typeof line.attribute !== 'string') return {bad: 'has no attribute'};
  if (data.schema && !names.has(line.attribute)) {
    return {other: `has an attribute that the schema does not have: ${line.attribute}`};
  }
  if (line.absent === true) return {url: line.url, name: line.attribute, absent: true};
  if (typeof line.value !== 'string') return {bad: 'has no value'};
  const {url, attribute, value, xpath, negative, ...rest} = line;
  const read = {value: normalize(value)};
  if (typeof xpath === 'string') read.xpath = xpath;
  if (negative === true) read.negative = true;
  if (Object.keys(rest).length) read.rest = rest;
  return {url, name: attribute, value: read};
};

const importText = (text, fileName) => {
  const names = new Set(attributes().map(({name}) => name));
  const others = [];
  const bad = [];
  let used = 0;
  change({}, () => {
    const fresh = new Set();  // what the import says replaces what was there
    text.replace(/^\ufeff/, '').split(/\r?\n/).forEach((lineText, index) => {
      if (!lineText.trim()) return;
      const line = readLine(lineText, names);
      const where = `Line ${index + 1} `;
      if (line.bad) { bad.push(where + line.bad); return; }
      if (line.other) {
        others.push(where + line.other);
        if (!state.extra.includes(lineText.trim())) state.extra.push(lineText.trim());
        return;
      }
      ++used;
      if (line.skip !== undefined) { state.skip.add(line.skip); return; }
      if (!names.has(line.name)) {
        names.add(line.name);
        state.attributes.push({name: line.name, type: 'TEXT'});
      }
      const key = JSON.stringify([line.url, line.name]);
      if (!fresh.has(key)) {
        fresh.add(key);
        state.pages.get(line.url)?.delete(line.name);
      }
      const record = recordFor(line.url, line.name);
      if (line.absent) { record.absent = true; return; }
      record.values.push(line.value);
      if (!data.schema && record.values.filter((value) => !value.negative).length > 1) {
        state.attributes.find(({name}) => name === line.name).repeated = true;
      }
    });
  });
  exported = exportLines().join('\n');
  save();
  current.last = null;
  render();
  if (!others.length && !bad.length) {
    toast(`Imported ${count(used, 'line')} from ${fileName}`);
    return;
  }
  const parts = [make('h2', '', `Imported ${count(used, 'line')} from ${fileName}`)];
  const list = (title, items) => {
    if (!items.length) return;
    parts.push(make('h3', '', title));
    const ul = make('ul');
    ul.append(...items.slice(0, 200).map((item) => make('li', '', item)));
    if (items.length > 200) ul.append(make('li', '', `and ${items.length - 200} more`));
    parts.push(ul);
  };
  list(`${count(others.length, 'line')} kept, and exported again, but not shown here`, others);
  list(`${count(bad.length, 'line')} not understood and left out`, bad);
  showDialog(...parts);
};
const importFile = async (file) => {
  if (!file || !pages.length) return;
  try {
    importText(await file.text(), file.name);
  } catch (error) {
    toast(`${file.name} cannot be read`);
  }
};

// --------------------------------------------------------------------- keys

const KEYS = [
  ['Giving values', [
    ['click', 'give the text to the attribute; again to take it back'],
    ['drag', 'give a part of the text'],
    ['Shift+click', 'give one word; again for more words'],
    ['w', 'widen to the whole element'],
    ['Shift+W', 'narrow again'],
    ['x', 'other value of the same place: link, picture, alt'],
    ['a', 'not on this page'],
    ['n', 'not this: what is pointed at is no value'],
    ['y', 'take the dashed suggestion'],
    ['Shift+Y', 'take all dashed suggestions'],
    ['Delete', 'remove the value'],
    ['u  Ctrl+Z', 'undo'],
    ['r  Ctrl+Y', 'redo'],
  ]],
  ['Moving', [
    ['↓ ↑  Tab', 'next, previous attribute'],
    ['1 – 9, 0', 'choose an attribute'],
    ['→ ←', 'next, previous page'],
    ['Enter', 'next page that is not complete'],
    ['] [', 'next, previous cluster'],
    ['Space', 'scroll'],
    ['s', 'skip this cluster, or not'],
    ['h', 'show hidden parts of the page'],
    ['e', 'export'],
    ['i', 'import'],
    ['?', 'this list'],
  ]],
];
const showKeys = () => {
  const columns = make('div', 'keys');
  for (const [title, rows] of KEYS) {
    const column = make('div');
    const list = make('dl');
    for (const [keys, meaning] of rows) {
      const term = make('dt');
      keys.split(/ {2}/).forEach((key, i) => {
        if (i) term.append(' ');
        term.append(make('kbd', '', key));
      });
      list.append(term, make('dd', '', meaning));
    }
    column.append(make('h3', '', title), list);
    columns.append(column);
  }
  showDialog(make('h2', '', 'Keys'), columns,
    make('p', 'soft', 'One or two complete pages per cluster are usually enough. ' +
      'A page is complete when every attribute has a value or is marked absent.'));
};

const chooseAttribute = (index) => {
  const list = attributes();
  if (!list.length) return;
  current.attribute = (index + list.length) % list.length;
  current.last = null;
  current.pick = 0;
  render();
  bringToView();
};
const bringToView = () => {
  const box = document.querySelector('#boxes .box.current');
  if (!box) return;
  const pane = $('pane');
  const top = box.offsetTop;
  if (top < pane.scrollTop + 20 || top > pane.scrollTop + pane.clientHeight - 60) {
    pane.scrollTo({top: Math.max(0, top - pane.clientHeight / 3)});
  }
};

const onKey = (event) => {
  if (event.isComposing || $('dialog').open || !pages.length) return;
  const inField = event.target instanceof Element && event.target.closest('input:not([type=checkbox]), select');
  const command = event.ctrlKey || event.metaKey;
  if (inField) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const onButton = event.target instanceof Element && event.target.closest('button, a');
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const shift = event.shiftKey;
  const act = (action) => { event.preventDefault(); action(); };
  if (command) {
    if (key === 'z') act(shift ? redo : undo);
    else if (key === 'y') act(redo);
    return;
  }
  if (event.altKey) return;
  if (/^[0-9]$/.test(key)) {
    const index = (Number(key) + 9) % 10;
    if (index < attributes().length) act(() => chooseAttribute(index));
    return;
  }
  switch (key) {
    case 'ArrowDown': act(() => chooseAttribute(current.attribute + 1)); break;
    case 'ArrowUp': act(() => chooseAttribute(current.attribute - 1)); break;
    case 'Tab':
      if (onButton) break;
      act(() => chooseAttribute(current.attribute + (shift ? -1 : 1)));
      break;
    case 'ArrowRight': act(() => showPage(current.page + 1)); break;
    case 'ArrowLeft': act(() => showPage(current.page - 1)); break;
    case 'Enter': if (!onButton) act(nextOpenPage); break;
    case ']': act(() => showCluster(1)); break;
    case '[': act(() => showCluster(-1)); break;
    case ' ':
      if (onButton || event.target.closest?.('input')) break;
      act(() => $('pane').scrollBy({top: (shift ? -.8 : .8) * $('pane').clientHeight}));
      break;
    case 'a': act(giveAbsent); break;
    case 's': act(toggleSkip); break;
    case 'u': act(shift ? redo : undo); break;
    case 'r': act(redo); break;
    case 'n': act(giveNegative); break;
    case 'w': act(() => widen(shift ? -1 : 1)); break;
    case 'x': act(() => { ++current.pick; drawHover(); }); break;
    case 'y': act(() => takeSuggestions(
      shift ? attributes().map((_, index) => index) : [current.attribute])); break;
    case 'h': act(toggleAll); break;
    case 'e': act(exportFile); break;
    case 'i': act(() => $('file').click()); break;
    case '?': act(showKeys); break;
    case 'Delete': case 'Backspace': act(removeHere); break;
    case 'Escape': current.drag = null; current.level = 0; drawHover(); break;
  }
};

// ------------------------------------------------------------- moving about

let showing = 0;
const showPage = async (index, attribute) => {
  if (index < 0 || index >= pages.length) {
    toast(index < 0 ? 'This is the first page' : 'This is the last page');
    return;
  }
  const turn = ++showing;
  const page = pages[index];
  const stays = pages[current.page]?.cluster === page.cluster;
  const scroll = stays ? $('pane').scrollTop : 0;
  const list = attributes();
  Object.assign(current, {page: index, frame: null, root: null, sources: new Map(),
                          hit: null, level: 0, pick: 0, drag: null, last: null});
  const open = list.findIndex(({name}) => !isKnown(page.url, name));
  current.attribute = Math.max(0, attribute ?? open);
  $('loading').hidden = false;
  $('loading').textContent = 'Opening the page…';
  $('stage').style.visibility = 'hidden';
  render();
  try {
    const [root, frame] = await Promise.all([treeOf(page), openFrame()]);
    if (turn !== showing) return;
    const frameDocument = frame.contentDocument;
    const style = frameDocument.createElement('style');
    style.textContent = frameCss;
    frameDocument.head.append(style);
    current.sources = buildInto(frameDocument, root);
    current.root = root;
    current.frame = frame;
    if (current.all) markUnseen();
    unpin(frameDocument);
    fitFrame();
    $('loading').hidden = true;
    $('stage').style.visibility = '';
    $('pane').scrollTop = scroll;
    render();
    bringToView();
    point();
    document.body.dataset.shown = String(index);
  } catch (error) {
    if (turn !== showing) return;
    $('loading').textContent = `The page cannot be shown: ${error.message}`;
    console.error(error);
  }
  if (index + 1 < pages.length) {
    (window.requestIdleCallback ?? setTimeout)(() => treeOf(pages[index + 1]).catch(() => {}));
  }
};
const showCluster = (by) => {
  const index = clusters.indexOf(pages[current.page].cluster) + by;
  if (index < 0 || index >= clusters.length) {
    toast(index < 0 ? 'This is the first cluster' : 'This is the last cluster');
    return;
  }
  showPage(clusters[index].first);
};
const nextOpenPage = () => {
  for (let i = 1; i <= pages.length; ++i) {
    const page = pages[(current.page + i) % pages.length];
    if (state.skip.has(page.cluster.id) || shareOf(page) === 1) continue;
    showPage(page.index);
    return;
  }
  toast('Every page is complete');
};

const markUnseen = () => {
  const frameDocument = current.frame.contentDocument;
  const view = frameDocument.defaultView;
  for (const element of frameDocument.body.getElementsByTagName('*')) {
    if (element.localName !== 'style' && view.getComputedStyle(element).display === 'none') {
      element.setAttribute('data-unseen', '');
    }
  }
  frameDocument.documentElement.setAttribute('data-all', '');
};
const toggleAll = () => {
  if (!current.frame) return;
  current.all = !current.all;
  if (current.all) markUnseen();
  else current.frame.contentDocument.documentElement.removeAttribute('data-all');
  fitFrame();
  render();
  toast(current.all ? 'Hidden parts are shown' : 'Hidden parts are hidden again');
};

// Looks what is under the pointer, at most once a frame.
let pointing = false;
const point = () => {
  pointing = false;
  const {pointer, drag} = current;
  const place = pointer && [pointer.x - overlayOrigin().left, pointer.y - overlayOrigin().top];
  if (drag && place) {
    drag.to = caretAt(...place);
    const [x, y] = drag.start;
    if (Math.hypot(place[0] - x, place[1] - y) > 5) drag.moved = true;
  }
  const hit = place ? hitAt(...place) : null;
  if (hit !== current.hit) {
    current.hit = hit;
    current.level = 0;
    current.pick = 0;
    if (current.last && current.last.hit !== hit) current.last = null;
  }
  drawHover();
};
const overlayOrigin = () => $('overlay').getBoundingClientRect();
const pointSoon = () => {
  if (pointing) return;
  pointing = true;
  requestAnimationFrame(point);
};

const overlay = $('overlay');
overlay.addEventListener('pointermove', (event) => {
  current.pointer = {x: event.clientX, y: event.clientY};
  pointSoon();
});
overlay.addEventListener('pointerleave', () => {
  if (current.drag) return;
  current.pointer = null;
  pointSoon();
});
overlay.addEventListener('pointerdown', (event) => {
  if (event.button !== 0 || !current.frame) return;
  event.preventDefault();
  if (document.activeElement !== document.body) document.activeElement.blur();
  current.pointer = {x: event.clientX, y: event.clientY};
  const start = [event.clientX - overlayOrigin().left, event.clientY - overlayOrigin().top];
  current.drag = {start, from: caretAt(...start), to: null, moved: false};
  try { overlay.setPointerCapture(event.pointerId); } catch (error) { /* gone already */ }
});
overlay.addEventListener('pointerup', (event) => {
  const {drag} = current;
  if (!drag) return;
  current.pointer = {x: event.clientX, y: event.clientY};
  point();
  const target = drag.moved ? dragTarget() : null;
  current.drag = null;
  if (drag.moved) {
    if (target) give(target); else drawHover();
  } else if (event.shiftKey) {
    const word = wordTarget(...drag.start);
    give(word, word?.word);
  } else {
    give(targetNow());
  }
});
overlay.addEventListener('pointercancel', () => { current.drag = null; drawHover(); });
$('pane').addEventListener('scroll', pointSoon, {passive: true});

let resizeTimer = 0;
new ResizeObserver(() => {
  clearTimeout(resizeTimer);
  resizeTimer = setTimeout(() => { fitFrame(); drawBoxes(); drawHover(); }, 80);
}).observe($('pane'));

document.addEventListener('keydown', onKey);
$('undo').addEventListener('click', undo);
$('redo').addEventListener('click', redo);
$('keys').addEventListener('click', showKeys);
$('export').addEventListener('click', exportFile);
$('import').addEventListener('click', () => $('file').click());
$('file').addEventListener('change', async () => {
  await importFile($('file').files[0]);
  $('file').value = '';
});
$('skip').addEventListener('change', () => { $('skip').blur(); toggleSkip(); });
$('page-previous').addEventListener('click', () => showPage(current.page - 1));
$('page-next').addEventListener('click', () => showPage(current.page + 1));
$('cluster-previous').addEventListener('click', () => showCluster(-1));
$('cluster-next').addEventListener('click', () => showCluster(1));
$('cluster-choice').addEventListener('change', (event) => {
  const cluster = clusters[event.target.selectedIndex];
  event.target.blur();
  showPage(cluster.first);
});
$('page-title').addEventListener('click', () => {
  const node = titleNode();
  $('page-title').blur();
  if (node) give({node, attribute: null, value: textOf(node)});
});
$('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const name = normalize($('add-name').value).replace(/ /g, '_');
  if (!name) return;
  const known = attributes().findIndex((attribute) => attribute.name === name);
  if (known < 0) {
    change({}, () => state.attributes.push({name, type: 'TEXT'}));
  }
  $('add-name').value = '';
  $('add-name').blur();
  chooseAttribute(known < 0 ? attributes().length - 1 : known);
});
for (const button of document.querySelectorAll('button')) {
  // Keys go on working after a click.
  button.addEventListener('click', () => { if (!button.closest('dialog')) button.blur(); });
}

let dragDepth = 0;
document.addEventListener('dragenter', (event) => {
  event.preventDefault();
  ++dragDepth;
  document.body.classList.add('dropping');
});
document.addEventListener('dragleave', () => {
  if (--dragDepth <= 0) { dragDepth = 0; document.body.classList.remove('dropping'); }
});
document.addEventListener('dragover', (event) => event.preventDefault());
document.addEventListener('drop', (event) => {
  event.preventDefault();
  dragDepth = 0;
  document.body.classList.remove('dropping');
  importFile(event.dataTransfer.files[0]);
});

// The same file in another window of the browser.
window.addEventListener('storage', (event) => {
  if (event.key !== storageKey || !event.newValue) return;
  load();
  done.length = 0;
  undone.length = 0;
  render();
  toast('Changed in another window');
});
window.addEventListener('beforeunload', (event) => {
  const lines = exportLines();
  if (!stored && lines.length && exported !== lines.join('\n')) event.preventDefault();
});

$('site').textContent = data.site;
$('site').title = data.site;
$('add').hidden = data.schema !== null;
load();
save();
if (pages.length) {
  // Go on where work is left; the first page otherwise.
  const begun = pages.findIndex((page) => state.pages.has(page.url));
  const open = pages.findIndex((page) => page.index >= begun &&
    !state.skip.has(page.cluster.id) && shareOf(page) < 1);
  showPage(begun >= 0 && open >= 0 ? open : 0);
} else {
  $('loading').textContent = 'There is no page to annotate.';
}

})();
