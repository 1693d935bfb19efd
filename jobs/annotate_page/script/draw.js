// Boxes and labels over the page.

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
  const gathered = gather(node);
  const {text, at} = gathered;
  const [begin, end] = (value === undefined ? null : placeIn(gathered, value)) ??
    [0, text.length];
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

// Where a value of the shown page stands: {node, attribute, value, isOnly}, or
// null. A value whose path leads to no node that says it is looked for; `isOnly`
// says that there is no other place. A place that was found is not the
// editor's: it is drawn, and neither kept nor exported.
const spots = new WeakMap();  // root -> path and value -> spot
const onlyPlaces = new Map();  // page and value -> path, for suggestions
const spotOf = (value) => {
  const {root} = current;
  if (!spots.has(root)) spots.set(root, new Map());
  const known = spots.get(root);
  const key = JSON.stringify([value.xpath ?? '', value.value]);
  if (!known.has(key)) known.set(key, findSpot(root, value));
  return known.get(key);
};
const findSpot = (root, {xpath, value}) => {
  const spot = resolve(root, xpath);
  if (spot && (spot.attribute || placeIn(gather(spot.node), value))) {
    return {...spot, value, isOnly: true};
  }
  const [found, ...others] = findValue(root, normalize(value));
  if (!found) return null;
  const {node, attribute, isWholeText} = found;
  const isOnly = !others.length;
  if (isOnly && isWholeText) {
    onlyPlaces.set(JSON.stringify([pages[current.page].url, value]), pathOf(node));
  }
  return {node, attribute, value: normalize(value), isOnly};
};
// The path of the place where a value of the shown page is known to stand.
const shownPath = (value) => {
  const spot = current.root && spotOf(value);
  return spot?.isOnly ? pathOf(spot.node, spot.attribute) : value.xpath;
};
