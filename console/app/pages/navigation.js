// The navigation graph: screens of an application, the ways between them, and the best path.

import { read } from '../api/client.js';
import { page, route } from '../api/paths.js';
import { drawGraph } from '../graph/drawing.js';
import { bestPath, directedEdges } from '../graph/ways.js';
import { go } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, facts, field, head, table } from '../view/parts.js';
import { ago, count, lasted } from '../view/time.js';
import { empty } from '../view/trouble.js';

const HELP = ['Let assay explore the application: ', h('code', {}, 'assay explore http://127.0.0.1:8765')];

export async function open(place) {
  const list = await read('/server/trees', {}, place.signal);
  const name = place.params.tree ?? list.items[0]?.name;
  if (!name) {
    place.show('Navigation', head('Navigation'), empty('The project has no navigation tree.', ...HELP), list.problems.map((problem) => h('pre', {}, problem)));
    return;
  }
  const { tree, metrics } = await read(route.tree(name), {}, place.signal);
  const edges = directedEdges(tree, metrics);
  const select = h('select', { on: { change: () => go(page.tree(select.value)) } }, list.items.map((one) => h('option', { value: one.name, selected: one.name === name }, one.name)));
  const about = h('div');
  const way = h('div', { 'aria-live': 'polite' });
  const graph = drawGraph(tree, edges, (screen) => {
    put(about, aboutScreen(tree, edges, screen));
    to.value = screen;
    draw();
  });
  const options = (chosen) => tree.screens.map((screen) => h('option', { value: screen.name, selected: screen.name === chosen }, screen.name));
  const entry = tree.entry?.[0] ?? tree.screens[0]?.name;
  const from = h('select', { on: { change: () => draw() } }, options(entry));
  const to = h('select', { on: { change: () => draw() } }, options(tree.screens.at(-1)?.name));
  const draw = () => {
    const found = bestPath(edges, from.value, to.value);
    graph.markPath(found ?? []);
    put(way, from.value === to.value ? h('p', { class: 'quiet' }, 'Choose two different screens.')
      : found === null ? h('p', {}, mark('none', 'No path leads there.'))
        : [h('p', { class: 'quiet' }, `${count(found.length, 'step')} on the most reliable and fastest path:`),
          h('ol', { class: 'path' }, found.map((edge) => h('li', {}, h('strong', {}, edge.to), h('p', { class: 'quiet' }, edge.acts.join(', then ')))))]);
  };
  place.root.classList.add('wide');
  place.show('Navigation',
    head('Navigation', { says: `${tree.interface}: ${count(tree.screens.length, 'screen')} and ${count(tree.edges.length, 'transition')}${tree.base_url ? ` at ${tree.base_url}` : ''}` }),
    list.problems.map((problem) => h('pre', {}, problem)),
    list.items.length > 1 && h('div', { class: 'bar' }, field('Tree', select)),
    h('div', { class: 'graph-columns' },
      box('Which screens lead where?', graph.node, { more: h('div', { class: 'buttons' }, named(button('−', graph.out), 'Zoom out'), named(button('+', graph.closer), 'Zoom in'), button('Show all', graph.whole)) }),
      h('div', {},
        box('How do I get there?', [h('div', { class: 'two' }, field('From', from), field('To', to)), way]),
        box('Selected screen', put(about, aboutScreen(tree, edges, entry))))),
    box('All transitions', waysTable(edges)));
  draw();
}

/** A button whose face is a sign. */
function named(sign, name) {
  sign.setAttribute('aria-label', name);
  return sign;
}

function aboutScreen(tree, edges, name) {
  const screen = tree.screens.find((one) => one.name === name);
  if (!screen) return h('p', { class: 'quiet' }, 'Choose a screen in the graph.');
  return [h('h3', {}, screen.name), facts([['Address', screen.address && h('code', {}, screen.address)], ['Heading', screen.heading], ['Title', screen.title], ['Part of', screen.within],
    ['When', screen.when], ['Protected', screen.protected && 'assay never explores this screen'], ['Leads to', count(edges.filter((edge) => edge.from === name).length, 'screen')],
    ['Reached from', count(edges.filter((edge) => edge.to === name).length, 'screen')]])];
}

function waysTable(edges) {
  return table('All transitions', [
    ['From', (edge) => (edge.from === '*' ? 'any screen' : edge.from)],
    ['To', (edge) => edge.to],
    ['Action', (edge) => h('code', {}, edge.acts.join(', '))],
    ['Succeeded', (edge) => (edge.tries ? mark(edge.successes === edge.tries ? 'passed' : edge.successes ? 'inconclusive' : 'failed', `${edge.successes} of ${edge.tries}`) : mark('never-run', 'not tried'))],
    ['Time', (edge) => (edge.successes ? lasted(edge.milliseconds) : ''), 'number'],
    ['Last used', (edge) => (edge.last_seen ? ago(edge.last_seen) : '')],
  ], edges);
}
