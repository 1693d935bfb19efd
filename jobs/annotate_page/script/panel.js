// The panel and the bars.

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

// How many clusters are in which state, and how many pages are annotated.
const progressNow = () => {
  const now = {complete: 0, begun: 0, skipped: 0, pages: 0};
  for (const cluster of clusters) {
    const its = clusterState(cluster);
    now.pages += its.complete + its.begun;
    if (its.skipped) ++now.skipped;
    else if (its.complete) ++now.complete;
    else if (its.begun) ++now.begun;
  }
  return now;
};
const renderTotal = () => {
  const {complete, begun, skipped} = progressNow();
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
    recordOf(page.url, name).values.some((value) => shownPath(value) === pathOf(title)));
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
  for (const part of [renderTotal, renderCluster, renderAttributes, renderBar, drawBoxes,
                      drawHover, renderFoot]) {
    // What cannot be drawn keeps nothing else from being drawn.
    try { part(); } catch (error) { console.error(error); }
  }
};
const renderFoot = () => {
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
