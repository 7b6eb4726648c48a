// What runs now, with the last picture of each browser. Only while the run goes on.

import { route } from '../api/paths.js';
import { h, put } from '../view/element.js';
import { shape } from '../view/mark.js';

const SHOWN = 12;

export function workersView(run) {
  const node = h('div', { class: 'workers', role: 'group', 'aria-label': 'What runs now', hidden: true });
  const cards = [];
  return {
    node,
    draw(story, state) {
      const busy = [...story.running.values()].sort((one, other) => one.worker - other.worker).slice(0, SHOWN);
      node.hidden = !state.isLive || busy.length === 0;
      if (node.hidden) return;
      while (cards.length < busy.length) {
        cards.push(emptyCard());
        node.append(cards.at(-1).node);
      }
      cards.forEach((card, at) => {
        card.node.hidden = at >= busy.length;
        if (at < busy.length) draw(card, busy[at], run);
      });
    },
  };
}

function emptyCard() {
  const [place, worker, name, step] = [h('div', { class: 'worker-picture' }), h('span', {}), h('strong', { class: 'clipped' }), h('p', { class: 'quiet clipped' })];
  const node = h('div', { class: 'worker' }, place, h('div', { class: 'worker-words' }, h('span', { class: 'mark is-running' }, shape('running'), worker), name, step));
  return { node, place, worker, name, step, picture: null };
}

function draw(card, now, run) {
  say(card.worker, `Worker ${now.worker + 1}`);
  say(card.name, now.test.name);
  say(card.step, now.step);
  const path = now.picture?.path ?? null;
  if (card.picture === path) return;
  card.picture = path;
  put(card.place, path && h('img', { src: route.artifact(run, path), alt: `The page of ${now.test.name}` }));
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
