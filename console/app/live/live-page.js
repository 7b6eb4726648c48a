// A live page: picture, address, tabs, dialogs, elements, console and network. Steps, recording and devices build on it.

import { dialog } from '../shell/dialog.js';
import { notice, say } from '../shell/said.js';
import { h } from '../view/element.js';
import { button } from '../view/parts.js';
import { liveBar } from './bar.js';
import { liveElements } from './elements.js';
import { liveLog } from './log.js';
import { livePicture } from './picture.js';

/**
 * Shows a page. `whyNot()` says why it cannot be used, or nothing; `isRecording()` whether acts become sentences; `heard(page)` gets each state;
 * `claimed(sentence)` a claim that was chosen.
 */
export function livePage(remote, { whyNot = () => null, isRecording = () => false, heard = () => {}, claimed = null, signal }) {
  let isPicking = false;
  let now = null;
  const does = h('p', { class: 'live-says', role: 'status' });
  const picture = livePicture({ act, picked, isPicking: () => isPicking, whyNot });
  const bar = liveBar({ act, whyNot });
  const elements = liveElements({ load: () => remote.read('elements'), act, check: claimed && ((ref) => propose({ ref })), whyNot });
  const log = liveLog(() => remote.read('log'));
  const pick = button('Check something', () => pickNext(!isPicking), { whyNot: whyNot() });
  pick.setAttribute('aria-pressed', 'false');
  pick.hidden = !claimed;
  const node = h('div', { class: 'live' }, bar.node, picture.node, h('div', { class: 'live-under' }, does, pick), elements.node, log.node);

  remote.watch({
    signal,
    heard(update) {
      if (update.picture) picture.show(update.picture);
      if (update.page) {
        now = update.page;
        bar.show(now);
        picture.describe(now);
        heard(now);
      }
      if (update.picture || update.page) elements.changed();
    },
    lost: (error) => picture.describe({ status: 'ended', view: [0, 0], note: error.status === 404 ? 'This page has ended.' : error.message }),
  });

  async function act(what) {
    const isPassing = what.act === 'pointer' && ['move', 'scroll'].includes(what.input.kind);
    try {
      const done = await remote.act(what, isRecording());
      if (done.choice) choose(done.choice);
      if (!isPassing) does.textContent = firstLine(done.text);
    } catch (error) {
      if (!isPassing) notice([error.message, error.hint].filter(Boolean).join(' — '), { isBad: true });
    }
  }

  /** A list of the browser is no part of the picture. */
  function choose(list) {
    dialog(list.name || 'Choose', (close) => h('div', { class: 'live-choices' }, list.options.map((option) => h('button', {
      type: 'button', 'aria-pressed': String(option === list.chosen),
      on: { click: () => { close(); act({ act: 'choose', ref: list.ref, options: [option] }); } },
    }, option))));
  }

  function pickNext(is) {
    isPicking = is;
    pick.setAttribute('aria-pressed', String(is));
    picture.picking(is);
    if (is) say('Point at what should be checked, or press Check in the list of elements.');
    does.textContent = is ? 'Point at what should be checked.' : '';
  }

  async function picked(point) {
    pickNext(false);
    await propose(point);
  }

  async function propose(where) {
    picture.flush();
    try {
      const { items } = await remote.post('checks', where);
      if (!items.length) {
        notice('Nothing can be claimed there that is understood and true. Point at a text, a field or a button.', { isBad: true });
        return;
      }
      dialog('What should be true?', (close) => h('div', { class: 'live-choices' }, items.map((item) => h('button', { type: 'button', on: { click: () => { close(); claimed(item); } } }, item))));
    } catch (error) {
      notice(error.message, { isBad: true });
    }
  }

  return { node, mark: (list) => picture.mark(list), flush: () => picture.flush(), page: () => now };
}

function firstLine(text) {
  return (text ?? '').split('\n').find((line) => line.trim()) ?? '';
}
