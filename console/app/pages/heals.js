// Heals: elements that had changed and were found again, to be looked at and accepted.

import { read, write } from '../api/client.js';
import { page, route } from '../api/paths.js';
import { healPicture } from '../view/heal-picture.js';
import { whyNot } from '../shell/caller.js';
import { setQuery } from '../shell/router.js';
import { attempt, notice } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, button, facts, field, head } from '../view/parts.js';
import { agoWords, count } from '../view/time.js';
import { empty, trouble } from '../view/trouble.js';

const RUNS = 30;

export async function open(place) {
  const { signal } = place;
  const runs = await read('/server/runs', { limit: RUNS }, signal);
  const ended = runs.items.filter((run) => run.status !== 'running');
  if (ended.length === 0) {
    place.show('Heals', head('Heals', { says: SAYS }), empty('No run has ended yet, so there is nothing to accept.'));
    return;
  }
  const asked = place.query.get('run');
  let chosen = asked ?? ended[0].run;
  const list = h('div', { class: 'heals' });
  const names = ended.map((run) => h('option', { value: run.run, selected: run.run === chosen }, `Run ${run.task}, ${agoWords(run.started_at)}`));
  if (asked && !ended.some((run) => run.run === asked)) names.unshift(h('option', { value: asked, selected: true }, asked));
  const select = h('select', { on: { change: () => { chosen = select.value; setQuery({ run: chosen }); load(); } } }, names);
  const all = button('Accept all', (pressed) => accept([], pressed), { first: true, whyNot: whyNot('run') });
  all.hidden = true;
  place.show('Heals', head('Heals', { says: SAYS, actions: [all] }), h('div', { class: 'bar' }, field('Healed in', select)), list);
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
    put(list, found.changes.length === 0 ? empty('Nothing was healed in this run.', 'When a page has changed and a recorded element is found again, it is shown here with both pictures.')
      : [h('p', { class: 'quiet' }, `${count(open_.length, 'heal')} can be accepted.`), found.changes.map(card)]);
  }

  function card(change) {
    const pictures = change.pictures ?? [];
    const accepts = change.state === 'open';
    return box(change.step, [
      h('p', { class: 'run-facts' }, mark(change.state === 'open' ? 'inconclusive' : change.state, change.state === 'overtaken' ? 'the lock file was changed since' : change.state),
        h('a', { href: page.testOfRun(chosen, change.test) }, change.test), h('code', {}, change.lock)),
      change.found.map((found, at) => h('div', { class: 'heal' },
        h('div', { class: 'heal-side' }, h('h3', {}, 'Recorded'), h('p', {}, element(found.was)), healPicture(pictures[at]?.was, change.run ?? chosen, 'before')),
        h('div', { class: 'heal-side' }, h('h3', {}, 'Now'), h('p', {}, element(found.now)), healPicture(pictures[at]?.now, chosen, 'now')),
        facts([['Why this one', found.because], ['Similarity', `${Math.round(found.score * 100)} %`], ['Next best', found.runner_up]]))),
      facts([['Effect then', change.recorded_effect], ['Effect now', change.effect]]),
      accepts && h('div', { class: 'buttons' },
        button('Accept', (pressed) => accept([change.test], pressed), { first: true, whyNot: whyNot('run') }),
        h('a', { href: page.test(change.file, change.test) }, 'Refuse it: change the test'),
        h('span', { class: 'quiet' }, 'Accepting takes all open heals of this test.')),
    ], { extra: 'heal-card' });
  }

  async function accept(tests, pressed) {
    await attempt(async () => {
      const done = await write('POST', `${route.run(chosen)}/heals/accept`, { tests });
      notice('The lock files are written.');
      draw(done);
    }, pressed);
  }
}

const SAYS = 'What a run found again after a page had changed. Nothing is written until you accept it.';

function element(signature) {
  return h('code', {}, `${signature.role} "${signature.name ?? ''}"`);
}
