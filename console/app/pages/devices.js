// The machines of the service, their devices, and who controls them.

import { read } from '../api/client.js';
import { page } from '../api/paths.js';
import { openPage, ownPages } from '../live/remote.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, facts, head } from '../view/parts.js';
import { ago } from '../view/time.js';
import { empty } from '../view/trouble.js';

const REFRESH = 5000;

export async function open(place) {
  const list = h('div');
  let known = '';
  const show = (found) => put(list, found.items.length === 0 ? empty('No devices.') : found.items.map(hostBox));
  const found = await read('/server/hosts', {}, place.signal);
  const draw = (next) => {
    const now = JSON.stringify(next);
    if (now === known) return;
    known = now;
    show(next);
  };
  place.show('Devices', head('Devices', { says: 'Browsers that assay can start, and sessions that are open.' }), list);
  draw(found);
  const timer = setInterval(async () => {
    if (document.hidden || list.contains(document.activeElement)) return;
    const next = await read('/server/hosts', {}, place.signal).catch(() => null);
    if (next) draw(next);
  }, REFRESH);
  place.signal.addEventListener('abort', () => clearInterval(timer));
}

function hostBox(host) {
  return h('section', { class: 'host', 'aria-label': host.machine },
    h('h2', {}, host.machine), h('p', { class: 'quiet' }, `${host.system} · ${host.cores} cores · ${Math.round(host.memory_mb / 1024)} GB · assay ${host.version}`),
    h('ul', { class: 'cards' }, host.devices.map((device) => h('li', { class: 'box device' },
      h('div', { class: 'box-head' }, h('h3', {}, device.device), mark(device.state)),
      facts([['Browser', device.model], ['Platform', device.platform], ['Health', device.health], ['Tabs', device.tabs], ['Running', device.busy && h('code', {}, device.busy)],
        ['Controlled by', device.lock && [device.lock.owner, device.lock.purpose && ` (${device.lock.purpose})`, ' since ', ago(device.lock.taken_at)]],
        ['Waiting', device.queue?.length ? device.queue.map((one) => one.owner).join(', ') : undefined]]),
      device.device.startsWith('session:') && device.state === 'open' && look(device.device)))));
}

/** The page of an open session, live. */
function look(device) {
  const open = button('Look', (pressed) => attempt(async () => {
    const [known] = await ownPages((one) => one.device === device);
    go(page.live(known ?? (await openPage({ device }))));
  }, pressed), { whyNot: whyNot('run') });
  open.setAttribute('aria-label', `Look at ${device}`);
  return h('div', { class: 'buttons' }, open);
}
