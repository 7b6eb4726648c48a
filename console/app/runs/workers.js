// What each worker does now, with the last picture of its browser. Only while the run goes on.

import { route } from '../api/paths.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';

const SHOWN = 12;

export function workersView(run) {
  const node = h('div', { class: 'workers', role: 'group', 'aria-label': 'Workers', hidden: true });
  const cards = new Map();
  return {
    node,
    draw(story, state) {
      const busy = [...story.workers.values()].sort((one, other) => one.worker - other.worker).slice(0, SHOWN);
      node.hidden = !state.isLive || busy.length === 0;
      if (node.hidden) return;
      for (const worker of busy) draw(cardOf(worker), worker, run);
      for (const [number, card] of cards) {
        if (!busy.some((one) => one.worker === number)) {
          card.node.remove();
          cards.delete(number);
        }
      }
    },
  };

  function cardOf(worker) {
    let card = cards.get(worker.worker);
    if (!card) {
      const parts = { place: h('div', { class: 'worker-picture' }), name: h('strong', { class: 'clipped' }), step: h('p', { class: 'quiet clipped' }) };
      card = { ...parts, picture: null, node: h('div', { class: 'worker' }, parts.place, h('div', { class: 'worker-words' }, mark('running', `Worker ${worker.worker}`), parts.name, parts.step)) };
      cards.set(worker.worker, card);
      node.append(card.node);
    }
    return card;
  }
}

function draw(card, worker, run) {
  if (card.name.textContent !== worker.test.name) card.name.textContent = worker.test.name;
  if (card.step.textContent !== worker.step) card.step.textContent = worker.step;
  const path = worker.picture?.path ?? null;
  if (card.picture === path) return;
  card.picture = path;
  put(card.place, path && h('img', { src: route.artifact(run, path), alt: `The page of ${worker.test.name} after “${worker.step}”` }));
}
