// Giving values to attributes, and taking them back.

const recordFor = (url, name) => {
  if (!state.pages.has(url)) state.pages.set(url, new Map());
  const page = state.pages.get(url);
  if (!page.has(name)) page.set(name, {values: [], absent: false});
  return page.get(name);
};
const setAbsent = (record, absent) => {
  record.absent = absent;
  if (!absent) delete record.rests;
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
    const gathered = gather(node);
    const {text} = gathered;
    const place = text === value ? null : placeIn(gathered, value);
    if (place) {
      result.before = text.slice(0, place[0]);
      result.after = text.slice(place[1]);
    }
  }
  return result;
};
const same = (a, b) => a.value === b.value && shownPath(a) === shownPath(b);
const sortByPlace = (values) => {
  const order = (value) => spotOf(value)?.node.order ?? Infinity;
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
    setAbsent(record, false);
    const extending = word && current.last?.word &&
      current.last.attribute === attribute.name;
    if (extending) {
      record.values = record.values.filter((value) => !same(value, current.last.value));
    }
    record.values = record.values.filter(
      (value) => !(value.negative && shownPath(value) === given.xpath));
    // A value that may stand in several places gets the one that is clicked.
    const loose = !known && record.values.find((value) => !value.negative &&
      value.value === given.value && !spotOf(value)?.isOnly);
    if (loose) {
      record.values = record.values.filter((value) => value !== loose);
      if (loose.rest) given.rest = loose.rest;
    }
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
    absent = !record.absent;
    setAbsent(record, absent);
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
    record.values = record.values.filter((value) => shownPath(value) !== given.xpath);
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
