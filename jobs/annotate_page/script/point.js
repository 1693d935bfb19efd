// What the pointer is on, and what it can give.

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
    if (!isBlank(value)) offers.push({node, attribute, value});
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
  return isBlank(value) ? null : {node, attribute: null, value, word};
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
  return isBlank(value) ? null : {node, attribute: null, value};
};
