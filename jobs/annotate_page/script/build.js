// Building a page in a frame.

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

const setLooks = (element, node) => {
  for (const [name, value] of node.attributes) {
    if (name === 'style' && current.plain) continue;
    if (LOOKS.has(name) || LOOKS_OF[name]?.split(' ').includes(node.tag)) {
      element.setAttribute(name, value);
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
  const menus = current.plain || hasOtherStyles(root);
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
    if (current.plain) return;
    const style = frameDocument.createElement('style');
    if (node.attributes.has('media')) style.media = node.attributes.get('media');
    style.textContent = node.kids.map((kid) => kid.text ?? '').join('');
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
