// The console and the network of a live page, on request.

import { h, put } from '../view/element.js';
import { button } from '../view/parts.js';
import { sentence } from '../view/trouble.js';

export function liveLog(load) {
  const place = h('div');
  const node = h('details', { class: 'live-fold' }, h('summary', {}, 'Console and network'), h('div', { class: 'buttons' }, button('Read again', () => draw())), place);
  node.addEventListener('toggle', () => node.open && draw());
  const lines = (title, list) => [h('h3', { class: 'part' }, title), list.length ? h('pre', {}, list.join('\n')) : h('p', { class: 'quiet' }, 'Nothing yet.')];
  async function draw() {
    try {
      const log = await load();
      put(place, lines('Console', log.console), lines('Network', log.network));
    } catch (error) {
      put(place, h('p', { class: 'quiet' }, sentence(error.message)));
    }
  }
  return { node };
}
