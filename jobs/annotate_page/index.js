// The index of annotation pages: how far each site is, from what its page keeps
// in the browser. Browsers that keep storages of files apart, or have none, show
// the index without it.
(() => {
'use strict';

const rows = [...document.querySelectorAll('tr[data-key]')];
const head = document.querySelector('thead tr');

const progressOf = (row) => {
  try {
    const {clusters, pages} = JSON.parse(localStorage.getItem(row.dataset.key)).progress;
    return clusters || pages ? {clusters: Number(clusters), pages: Number(pages)} : null;
  } catch (error) {
    return null;  // nothing is kept, or it cannot be read
  }
};
const count = (number, noun) =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

const show = () => {
  const all = rows.map(progressOf);
  if (!all.some(Boolean) && !head.querySelector('.progress')) return;
  const cellOf = (row, tag) => {
    const known = row.querySelector('.progress');
    if (known) return known;
    const cell = document.createElement(tag);
    cell.className = 'progress';
    row.append(cell);
    return cell;
  };
  const title = cellOf(head, 'th');
  title.scope = 'col';
  title.textContent = 'Annotated';
  rows.forEach((row, index) => {
    const cell = cellOf(row, 'td');
    const progress = all[index];
    const clusters = row.cells[1].textContent;
    cell.textContent = !progress ? '' : `${count(progress.pages, 'page')}, ` +
      `${progress.clusters.toLocaleString('en')} of ${clusters} ` +
      `${clusters === '1' ? 'cluster' : 'clusters'} done`;
    cell.classList.toggle('done',
                          progress?.clusters.toLocaleString('en') === clusters);
  });
};

window.addEventListener('storage', show);
window.addEventListener('pageshow', show);  // also when one comes back to it
show();
})();
