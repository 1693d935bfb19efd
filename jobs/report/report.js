// What a report can do besides being read: filter, sort, copy.
(() => {
'use strict';

// A box filters the rows or cards of the element that it names: all words have
// to be in the text, and the pressed button among the tags.
const startFilter = (box) => {
  const target = document.getElementById(box.dataset.filters);
  if (!target) return;
  const items = [...(target.tBodies?.[0]?.rows ?? target.children)];
  const texts = items.map((item) => item.textContent.toLowerCase());
  const tags = items.map((item) => (item.dataset.tags ?? '').split(' '));
  const input = box.querySelector('input');
  const buttons = [...box.querySelectorAll('button')];
  const output = box.querySelector('output');
  const apply = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const tag = buttons.find((b) => b.getAttribute('aria-pressed') === 'true')
      ?.dataset.tag;
    let shown = 0;
    items.forEach((item, i) => {
      const keep = words.every((word) => texts[i].includes(word)) &&
        (!tag || tags[i].includes(tag));
      item.hidden = !keep;
      shown += keep ? 1 : 0;
    });
    output.textContent = shown === items.length ?
      `all ${items.length.toLocaleString('en')}` :
      `${shown.toLocaleString('en')} of ${items.length.toLocaleString('en')}`;
  };
  input.addEventListener('input', apply);
  for (const button of buttons) {
    button.addEventListener('click', () => {
      const press = button.getAttribute('aria-pressed') !== 'true';
      for (const other of buttons) {
        other.setAttribute('aria-pressed', String(press && other === button));
      }
      apply();
    });
  }
  box.hidden = false;
  apply();
};

// A heading sorts its table: first as the column is read best (names upwards,
// numbers downwards), then the other way round. Ties stay as they were.
const startSorting = (table) => {
  const headings = [...table.tHead.rows[0].cells];
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.order === undefined ? cell.textContent.trim() :
      Number(cell.dataset.order);
  };
  headings.forEach((heading, column) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener('click', () => {
      const now = heading.getAttribute('aria-sort');
      const down = now ? now === 'ascending' : heading.classList.contains('n');
      for (const other of headings) other.removeAttribute('aria-sort');
      heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const body = table.tBodies[0];
      const sorted = [...body.rows].map((row) => [keyOf(row, column), row]);
      const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ?
        a - b : String(a).localeCompare(String(b), 'en', {numeric: true});
      sorted.sort(([a], [b]) => down ? compare(b, a) : compare(a, b));
      body.append(...sorted.map(([, row]) => row));
    });
  });
};

const startCopying = (command) => {
  const text = command.querySelector('pre');
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text.textContent);
      button.textContent = 'Copied';
    } catch (error) {  // not allowed: leave it marked, to be copied by hand
      getSelection().selectAllChildren(text);
    }
  });
  command.append(button);
};

document.querySelectorAll('.filter').forEach(startFilter);
document.querySelectorAll('table').forEach(startSorting);
document.querySelectorAll('.command').forEach(startCopying);
})();
