// Heals: elements that had changed and were found again, to be looked at, and accepted or refused.

import { read, write } from '../api/client.js';
import { page, route } from '../api/paths.js';
import { healPicture } from '../view/heal-picture.js';
import { whyNot } from '../shell/caller.js';
import { setQuery } from '../shell/router.js';
import { attempt, notice } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, facts, field, head } from '../view/parts.js';
import { agoWords, count, percent } from '../view/time.js';
import { empty, trouble } from '../view/trouble.js';

const RUNS = 30;

export async function open(place) {
  const { signal } = place;
  const runs = await read('/server/runs', { limit: RUNS }, signal);
  const ended = runs.items.filter((run) => run.status !== 'running');
  if (ended.length === 0) {
    place.show('Heals', head('Heals', { says: SAYS }), empty('No run has ended yet.'));
    return;
  }
  const asked = place.query.get('run');
  let chosen = asked ?? ended[0].run;
  const list = h('div', { class: 'heals' });
  const names = ended.map((run) => h('option', { value: run.run, selected: run.run === chosen }, `Run ${run.task}, ${agoWords(run.started_at)}`));
  if (asked && !ended.some((run) => run.run === asked)) names.unshift(h('option', { value: asked, selected: true }, asked));
  const select = h('select', { on: { change: () => { chosen = select.value; setQuery({ run: chosen }); load(); } } }, names);
  const all = button('Accept all', (pressed) => decide('accept', {}, pressed), { first: true, whyNot: whyNot('run') });
  all.hidden = true;
  place.show('Heals', head('Heals', { says: SAYS, actions: [all] }), h('div', { class: 'bar' }, field('Run', select)), list);
  await load(!asked);

  /** Without a run in the address, the newest one with an open heal is shown. */
  async function load(mayLook = false) {
    try {
      let found = await read(`${route.run(chosen)}/heals`, {}, signal);
      if (mayLook && found.changes.length === 0) {
        for (const run of ended.slice(1, 12)) {
          const other = await read(`${route.run(run.run)}/heals`, {}, signal);
          if (other.changes.length > 0) {
            found = other;
            chosen = run.run;
            select.value = run.run;
            break;
          }
        }
      }
      draw(found);
    } catch (error) {
      if (!signal.aborted) put(list, trouble(error, () => load()));
    }
  }

  function draw(found) {
    const open_ = found.changes.filter((change) => change.state === 'open');
    all.hidden = open_.length < 2;
    put(list, found.changes.length === 0 ? empty('This run healed nothing.', 'When a page changes and assay finds a recorded element again, both appear here with screenshots.')
      : [h('p', { class: 'quiet' }, open_.length === 0 ? 'Nothing left to accept.' : `${count(open_.length, 'heal')} to review.`), found.changes.map(card)]);
  }

  function card(change) {
    const pictures = change.pictures ?? [];
    const isOpen = change.state === 'open';
    return box(change.step, [
      h('p', { class: 'run-facts' }, mark(change.state === 'open' ? 'inconclusive' : change.state, change.state),
        h('a', { href: page.testOfRun(chosen, change.test) }, change.test), h('code', {}, change.lock)),
      change.found.map((found, at) => h('div', { class: 'heal' },
        h('div', { class: 'heal-side' }, h('h3', {}, 'Recorded'), h('p', {}, element(found.was)), healPicture(pictures[at]?.was, change.run ?? chosen, 'before')),
        h('div', { class: 'heal-side' }, h('h3', {}, 'Now'), h('p', {}, element(found.now)), healPicture(pictures[at]?.now, chosen, 'now')),
        facts([['Why', found.because], ['Similarity', percent(found.score)], ['Next best', found.runner_up]]))),
      facts([['Effect before', change.recorded_effect], ['Effect now', change.effect]]),
      (isOpen || change.state === 'refused') && h('div', { class: 'buttons' },
        button(isOpen ? 'Accept' : 'Accept after all', (pressed) => decide('accept', { changes: [change.number] }, pressed), { first: isOpen, whyNot: whyNot('run') }),
        isOpen && button('Refuse', (pressed) => decide('refuse', { changes: [change.number] }, pressed), { whyNot: whyNot('run') }),
        h('a', { href: page.test(change.file, change.test) }, 'Edit the test instead'),
        h('span', { class: 'quiet' }, isOpen ? 'A refused element is not proposed again.' : 'The step passes on this element no more.')),
    ], { extra: 'heal-card' });
  }

  async function decide(what, which, pressed) {
    await attempt(async () => {
      const done = await write('POST', `${route.run(chosen)}/heals/${what}`, which);
      notice('Updated the lock files.');
      draw(done);
    }, pressed);
  }
}

const SAYS = 'Elements that a run found again after a page changed. Lock files change only when you decide.';

function element(signature) {
  return h('code', {}, `${signature.role} "${signature.name ?? ''}"`);
}
