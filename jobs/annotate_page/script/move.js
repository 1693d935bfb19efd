// Moving about, events, and the start.

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
  delete document.body.dataset.shown;
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
    performance.mark('shown');
  } catch (error) {
    if (turn !== showing) return;
    $('loading').hidden = false;
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

// Pages whose style sheets lie elsewhere may be easier to read without any.
const togglePlain = () => {
  current.plain = !current.plain;
  showPage(current.page, current.attribute);
  toast(current.plain ? 'Pages without their own styles' : 'Pages with their own styles');
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
