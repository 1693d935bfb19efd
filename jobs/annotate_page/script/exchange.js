// Import and export of annotations.

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
        for (const rest of record.absent ? record.rests ?? [{}] : []) {
          lines.push(JSON.stringify({url, attribute: name, absent: true, ...rest}));
        }
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

// What makes a line one that the reader of annotations refuses, or null.
// Members that are null count as missing.
const MAX_LINE_BYTES = 1 << 20;
const refusalOf = (line) => {
  for (const name of ['url', 'attribute', 'value', 'xpath']) {
    if (typeof (line[name] ?? '') !== 'string') return `has a "${name}" that is not a string`;
  }
  for (const name of ['negative', 'absent', 'skip']) {
    if (typeof (line[name] ?? false) !== 'boolean') {
      return `has a "${name}" that is not true or false`;
    }
  }
  const record = line.record ?? 0;
  if (!Number.isSafeInteger(record) || record < 0) {
    return 'has a "record" that is not a number from 0 on';
  }
  if (line.skip) {
    return line.attribute || line.value || line.absent || line.negative
      ? 'has "skip" with more than a URL' : null;
  }
  if (!line.attribute) return 'has no attribute';
  if (line.absent) {
    return line.value || line.negative ? 'has "absent" with a value' : null;
  }
  return isBlank(line.value ?? '') ? 'has no value' : null;
};

// What an imported line says: {url, name, absent, value} or {skip}, or why it
// says nothing here.
const readLine = (text, names) => {
  let line;
  let broken = false;  // half a character, or a number beyond all
  const check = (key, member) => {
    broken ||= /\p{Surrogate}/u.test(key) || member === Infinity || member === -Infinity ||
      (typeof member === 'string' && /\p{Surrogate}/u.test(member));
    return member;
  };
  try { line = JSON.parse(text, check); } catch (error) { return {bad: 'is not JSON'}; }
  if (broken) return {bad: 'is not JSON'};
  if (line === null || typeof line !== 'object' || typeof line.url !== 'string') {
    return {bad: 'has no URL'};
  }
  if (new TextEncoder().encode(text).length > MAX_LINE_BYTES) return {bad: 'is too long'};
  const bad = refusalOf(line);
  if (bad) return {bad};
  const page = pageOfUrl.get(line.url);
  if (!page) return {other: `is of another page: ${line.url}`};
  if (line.skip) return {skip: page.cluster.id};
  if (data.schema && !names.has(line.attribute)) {
    return {other: `has an attribute that the schema does not have: ${line.attribute}`};
  }
  if (line.absent) {
    const {url, attribute, absent, ...rest} = line;
    return {url, name: attribute, absent, rest};
  }
  const {url, attribute, value, xpath, negative, ...rest} = line;
  const read = {value: normalize(value)};
  if (xpath) read.xpath = xpath;
  if (negative) read.negative = true;
  if (Object.keys(rest).length) read.rest = rest;
  return {url, name: attribute, value: read};
};

const importText = (text, fileName) => {
  const names = new Set(attributes().map(({name}) => name));
  const others = [];
  const bad = [];
  let used = 0;
  const before = exportLines().join('\n');
  const wasExported = !before || before === exported;
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
      if (line.absent) {
        record.absent = true;
        record.rests = [...record.rests ?? [], line.rest];
        return;
      }
      record.values.push(line.value);
      if (!data.schema && record.values.filter((value) => !value.negative).length > 1) {
        state.attributes.find(({name}) => name === line.name).repeated = true;
      }
    });
  });
  if (wasExported) exported = exportLines().join('\n');
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
