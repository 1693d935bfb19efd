// The annotation page of one site: the data. The build puts the files of this
// folder one behind the other, in this order, inside one function: data,
// history, tree, build, point, draw, suggest, give, panel, exchange, keys, move.
//
// The sampled pages are hostile. Their text reaches the document only through
// text nodes and attribute values of elements that can do nothing, in a frame
// without scripts whose policy lets it load nothing.

const $ = (id) => document.getElementById(id);
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const data = JSON.parse($('data').textContent);
const treeElements = document.getElementsByClassName('tree');
const frameCss = $('frame-css').textContent;
const clusters = data.clusters.filter((cluster) => cluster.pages.length > 0);
const pages = [];  // of all clusters, in order
{
  let tree = 0;
  for (const cluster of data.clusters) {
    cluster.first = pages.length;
    for (const page of cluster.pages) {
      pages.push({url: page.url, rank: page.rank, cluster,
                  source: treeElements[tree++], index: pages.length});
    }
    cluster.pages = pages.slice(cluster.first);
  }
}
const pageOfUrl = new Map(pages.map((page) => [page.url, page]));

const COLOURS = ['#1d6fd1', '#c2410c', '#15803d', '#9333ea', '#be185d', '#0f766e',
                 '#a16207', '#4338ca', '#b91c1c', '#4d7c0f', '#0e7490', '#7c2d12'];
const colourOf = (index) => COLOURS[index % COLOURS.length];

const count = (number, noun) =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

// What is shown, pointed at and chosen now. `last` is the value just given.
const current = {page: 0, attribute: 0, frame: null, root: null, sources: new Map(),
                 pointer: null, hit: null, level: 0, pick: 0, drag: null, last: null,
                 all: false, plain: false};
