// A live page by itself: a device, or a page that somebody opened.

import { read, write } from '../api/client.js';
import { atlasPanel } from '../live/atlas-panel.js';
import { livePage } from '../live/live-page.js';
import { Remote } from '../live/remote.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { button, head } from '../view/parts.js';
import { empty } from '../view/trouble.js';

export async function open(place) {
  const name = place.params.page;
  const { items } = await read('/server/live', {}, place.signal);
  const held = items.find((one) => one.page === name);
  if (!held) {
    place.show('Live page', head('Live page'), empty('This page has ended.', h('a', { href: '/console/devices' }, 'See the devices')));
    return;
  }
  const remote = new Remote(name);
  const title = held.device ?? 'Live page';
  const owned = whyNot('run') ?? (held.mine ? null : `This page belongs to ${held.owner}. You can look at it.`);
  let isTaken = !held.device || held.controlled;
  const why = () => owned ?? (isTaken ? null : 'Take control first.');
  const says = h('p', { class: 'quiet', role: 'status' });
  const control = held.device && button('Take control', (pressed) => attempt(async () => {
    const done = await write('POST', `${remote.base}/control`, { take: !isTaken }, { keyed: false });
    isTaken = done.taken;
    tell();
    // What can be pressed depends on it.
    draw();
    atlas.refresh();
  }, pressed), { first: true, whyNot: owned });
  // Leaving the page ends it.
  const end = button('End', () => go(held.device ? '/console/devices' : '/console/tests'), { whyNot: owned });
  const body = h('div', { class: 'live-place' });
  let shown = null;
  const atlas = atlasPanel({ name, base: remote.base, title, canTalk: Boolean(held.device), whyNot: why, signal: place.signal });
  place.root.classList.add('wide');
  place.show(title, head(title, { above: h('a', { href: '/console/devices' }, 'Devices'), actions: [control, atlas.toggle, end] }), says, h('div', { class: 'live-beside' }, body, atlas.node));
  place.signal.addEventListener('abort', () => {
    shown?.abort();
    // Nobody looks any more, so nobody controls it.
    if (held.mine) remote.end().catch(() => {});
  });
  if (held.mine && !held.device) addEventListener('pagehide', () => remote.endAtOnce(), { signal: place.signal });
  tell();
  draw();
  await atlas.open();

  function tell() {
    if (control) control.textContent = isTaken ? 'Give it back' : 'Take control';
    says.textContent = owned ?? (held.device ? (isTaken ? 'You control it. Others have to wait until you give it back.' : 'You look at it. Take control to use it.') : 'Use the page with pointer and keyboard.');
  }

  function draw() {
    shown?.abort();
    shown = new AbortController();
    body.replaceChildren(livePage(remote, { whyNot: why, signal: shown.signal }).node);
  }
}
