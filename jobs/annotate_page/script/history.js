// The state: what is annotated, its history, and its copy in the browser.

// pages: url -> attribute -> {values: [{value, xpath, negative, rest}], absent,
// rests}. `rest` holds members of an imported line that this page does not use,
// `rests` those of each line that says "absent".
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
// What was stored, without what no export may have.
const readRecord = (record) => ({
  ...record, absent: record?.absent === true,
  rests: Array.isArray(record?.rests) ? record.rests : undefined,
  values: (Array.isArray(record?.values) ? record.values : [])
    .filter((value) => typeof value?.value === 'string' && !isBlank(value.value))
    .map((value) => typeof value.xpath === 'string' ? value : {...value, xpath: undefined})});
const deserialize = (text) => {
  const stored = JSON.parse(text);
  const pairs = (list) => list.filter((pair) => Array.isArray(pair) && pair.length === 2);
  return {pages: new Map(pairs(stored.pages).map(([url, map]) => [url, new Map(
            pairs(map).map(([name, record]) => [name, readRecord(record)]))])),
          skip: new Set(stored.skip),
          extra: stored.extra.filter((line) => typeof line === 'string'),
          attributes: stored.attributes.filter(
            (attribute) => typeof attribute?.name === 'string' && attribute.name)};
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
    // The index of sites shows the progress.
    const {complete, skipped, pages} = progressNow();
    localStorage.setItem(storageKey, JSON.stringify({
      state: serialize(), exported, progress: {clusters: complete + skipped, pages}}));
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
