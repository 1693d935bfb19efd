// Suggestions from the other pages of the cluster.

// Values that stand where the same attribute stands on another page of the
// cluster. They are drawn, and become annotations only when taken.
const suggestionsFor = (attribute) => {
  const page = pages[current.page];
  const own = recordOf(page.url, attribute.name).values;
  const refused = new Set(own.filter((v) => v.negative).map(shownPath));
  const others = page.cluster.pages
    .filter((other) => other !== page)
    .sort((a, b) => Math.abs(a.index - page.index) - Math.abs(b.index - page.index));
  for (const other of others) {
    const values = recordOf(other.url, attribute.name).values
      .filter((value) => !value.negative)
      .map((value) => isPath(value.xpath) ? value : {
        ...value, xpath: onlyPlaces.get(JSON.stringify([other.url, value.value]))})
      .filter((value) => value.xpath);
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
