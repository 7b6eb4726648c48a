// Draws a graph of screens that can be moved, zoomed and walked with the keyboard.

import { freshId, h, svg } from '../view/element.js';
import { NODE, places } from './layout.js';

export function drawGraph(tree, edges, chosen) {
  const laid = places(tree, edges);
  const arrow = freshId('arrow');
  const lines = edges.filter((edge) => edge.from !== '*' && laid.places.has(edge.from) && laid.places.has(edge.to)).map((edge) => ({ edge, node: line(edge, laid.places, arrow) }));
  const nodes = tree.screens.map((screen) => node(screen, tree, edges.some((edge) => edge.from === '*' && edge.to === screen.name), laid.places.get(screen.name), choose));
  const drawing = svg('svg', { class: 'graph', role: 'group', 'aria-label': `${tree.screens.length} screens and the transitions between them` },
    svg('defs', {}, svg('marker', { id: arrow, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto-start-reverse' }, svg('path', { d: 'M0 0L8 4L0 8z', class: 'arrow' }))),
    svg('g', {}, lines.map((one) => one.node)), svg('g', {}, nodes));
  const whole = { x: 0, y: 0, width: laid.width, height: laid.height };
  let view = { ...whole };
  const look = () => drawing.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`);
  const zoom = (by, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) => {
    const width = Math.min(whole.width * 2, Math.max(200, view.width * by));
    const factor = width / view.width;
    view = { x: at.x - (at.x - view.x) * factor, y: at.y - (at.y - view.y) * factor, width, height: view.height * factor };
    look();
  };
  const point = (event) => {
    const area = drawing.getBoundingClientRect();
    return { x: view.x + ((event.clientX - area.left) / area.width) * view.width, y: view.y + ((event.clientY - area.top) / area.height) * view.height };
  };
  drawing.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.15 : 0.87, point(event));
  }, { passive: false });
  drag(drawing, (dx, dy) => {
    const area = drawing.getBoundingClientRect();
    view.x -= (dx / area.width) * view.width;
    view.y -= (dy / area.height) * view.height;
    look();
  });
  look();

  function choose(name) {
    for (const one of nodes) {
      one.classList.toggle('is-chosen', one.dataset.screen === name);
      one.setAttribute('aria-pressed', String(one.dataset.screen === name));
    }
    chosen(name);
  }
  return {
    node: h('div', { class: 'graph-place' }, drawing),
    closer: () => zoom(0.75),
    out: () => zoom(1.33),
    whole() {
      view = { ...whole };
      look();
    },
    markPath(path) {
      for (const one of lines) one.node.classList.toggle('is-path', path.includes(one.edge));
      const names = new Set(path.flatMap((edge) => [edge.from, edge.to]));
      for (const one of nodes) one.classList.toggle('is-path', names.has(one.dataset.screen));
    },
  };
}

function line(edge, at, arrow) {
  const [one, other] = [at.get(edge.from), at.get(edge.to)];
  const isForward = other.x > one.x;
  const begin = { x: one.x + (isForward ? NODE.width : other.x === one.x ? NODE.width : 0), y: one.y + NODE.height / 2 + (isForward ? -5 : 5) };
  const end = { x: other.x + (isForward ? 0 : NODE.width), y: other.y + NODE.height / 2 + (isForward ? -5 : 5) };
  const bend = other.x === one.x ? 60 : Math.max(40, Math.abs(end.x - begin.x) / 2);
  const [first, second] = isForward ? [begin.x + bend, end.x - bend] : other.x === one.x ? [begin.x + bend, end.x + bend] : [begin.x - bend, end.x + bend];
  const state = !edge.tries ? 'untried' : edge.successes === edge.tries ? 'sure' : edge.successes ? 'shaky' : 'broken';
  return svg('path', { class: `way is-${state}`, d: `M${begin.x} ${begin.y}C${first} ${begin.y} ${second} ${end.y} ${end.x} ${end.y}`, 'stroke-width': 1 + Math.min(3, Math.log2(1 + edge.tries) / 2), 'marker-end': `url(#${arrow})` },
    svg('title', {}, `${edge.from} → ${edge.to}: ${edge.acts.join(', ')}${edge.tries ? `; ${edge.successes} of ${edge.tries} worked` : '; not tried'}`));
}

function node(screen, tree, isEverywhere, at, choose) {
  const isEntry = tree.entry?.includes(screen.name);
  // A long name is small rather than cut off.
  const size = `${Math.min(13, Math.floor((13 * 23) / screen.name.length))}px`;
  const drawn = svg('g', { class: `screen ${isEntry ? 'is-entry' : ''}`, transform: `translate(${at.x} ${at.y})`, tabindex: 0, role: 'button', 'aria-pressed': 'false', 'data-screen': screen.name },
    svg('rect', { width: NODE.width, height: NODE.height, rx: 9 }), svg('text', { x: NODE.width / 2, y: NODE.height / 2 + (isEverywhere ? -1 : 4), 'text-anchor': 'middle', vars: { 'font-size': size } }, screen.name),
    isEverywhere && svg('text', { class: 'screen-note', x: NODE.width / 2, y: NODE.height / 2 + 13, 'text-anchor': 'middle' }, 'from any screen'));
  drawn.addEventListener('click', () => choose(screen.name));
  drawn.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    choose(screen.name);
  });
  return drawn;
}

function drag(drawing, moved) {
  let last = null;
  drawing.addEventListener('pointerdown', (event) => {
    if (event.target.closest('.screen')) return;
    last = event;
    drawing.setPointerCapture(event.pointerId);
  });
  drawing.addEventListener('pointermove', (event) => {
    if (!last) return;
    moved(event.clientX - last.clientX, event.clientY - last.clientY);
    last = event;
  });
  for (const end of ['pointerup', 'pointercancel']) drawing.addEventListener(end, () => { last = null; });
}
