// Keys.

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
    ['p', 'plain page, without its own styles'],
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
  const inField = event.target instanceof Element &&
    event.target.closest('input:not([type=checkbox]), select');
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
    case 'p': act(togglePlain); break;
    case 'e': act(exportFile); break;
    case 'i': act(() => $('file').click()); break;
    case '?': act(showKeys); break;
    case 'Delete': case 'Backspace': act(removeHere); break;
    case 'Escape': current.drag = null; current.level = 0; drawHover(); break;
  }
};
