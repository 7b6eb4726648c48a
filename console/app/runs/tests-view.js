// The tests of a run: a list of any length, and everything about the one that is chosen.

import { say } from '../shell/said.js';
import { freshId, h, put } from '../view/element.js';
import { longList } from '../view/long-list.js';
import { mark, wordOf } from '../view/mark.js';
import { choice, search } from '../view/parts.js';
import { lasted } from '../view/time.js';
import { empty } from '../view/trouble.js';
import { testDetails } from './test-details.js';

const ROW = 44;
const RANK = { failed: 0, error: 1, inconclusive: 2, running: 3, 'not-run': 4, passed: 5 };
const SHOWN = [['all', 'All'], ['red', 'Red'], ['running', 'Running'], ['flaky', 'Flaky']];

export function testsView(run, chosen, choose) {
  const details = h('div', { class: 'test-details', 'aria-live': 'off' });
  let filter = 'all';
  let words = '';
  let now = null;
  let known = '';
  const list = longList('Tests of the run', ROW, (test) => row(test, test.id === chosen, () => {
    chosen = test.id;
    choose(test.id);
    known = '';
    redraw();
    // Beside the list it is in sight; below the list it has to be brought there.
    if (matchMedia('(max-width: 60rem)').matches) {
      details.scrollIntoView({ block: 'start' });
      details.querySelector('h2')?.focus({ preventScroll: true });
    } else {
      say(`${test.name}: ${wordOf(test.state)}`);
    }
  }));
  let isShown = false;
  const none = h('div', { hidden: true });
  const filters = h('div', { class: 'list-filters' },
    search('Find a test', (text) => { words = text.toLowerCase(); redraw(); }),
    choice('Which tests', SHOWN, filter, (value) => { filter = value; redraw(); }));
  const node = h('div', { class: 'split' }, h('div', { class: 'split-list' }, filters, none, list.node), details);
  const redraw = () => now && draw(now.story, now.state);

  function draw(story, state) {
    now = { story, state };
    const tests = [...story.tests.values()].filter(wanted);
    tests.sort((one, other) => RANK[one.state] - RANK[other.state]);
    if (!chosen && tests[0] && (state.isComplete || (state.isLive && tests[0].state === 'failed'))) chosen = tests[0].id;
    none.hidden = tests.length > 0;
    if (!none.hidden) put(none, empty(story.tests.size === 0 ? 'The run has not listed its tests yet.' : 'No test matches.'));
    for (const test of tests) {
      const isChosen = test.id === chosen;
      if (Boolean(test.isChosen) !== isChosen) Object.assign(test, { isChosen, look: test.look + 1 });
    }
    list.update(tests);
    const test = chosen && story.tests.get(chosen);
    if (test && state.isComplete && !isShown) {
      isShown = true;
      list.show(test);
    }
    // The details are built anew only when something of this very test has changed.
    const signature = test ? `${test.id} ${test.look} ${test.steps.length} ${test.step} ${test.pictures.length} ${state.isLive}` : 'none';
    if (signature === known) return;
    known = signature;
    const scrolled = details.scrollTop;
    put(details, test ? testDetails(run, test, story) : empty('Choose a test to see its steps.'));
    details.scrollTop = scrolled;
  }

  function wanted(test) {
    const isShown = filter === 'all' || (filter === 'red' && ['failed', 'error', 'inconclusive'].includes(test.state))
      || (filter === 'running' && test.state === 'running') || (filter === 'flaky' && test.flaky);
    return isShown && (!words || `${test.name} ${test.id} ${test.file} ${test.tags?.join(' ')}`.toLowerCase().includes(words));
  }
  return { node, draw };
}

function row(test, isChosen, choose) {
  const stands = mark(test.flaky ? 'flaky' : test.state);
  stands.id = freshId('state');
  return h('div', { class: `test-row ${isChosen ? 'is-current' : ''}` }, stands,
    h('button', { type: 'button', class: 'clipped', 'data-row': true, 'aria-current': isChosen ? 'true' : undefined, 'aria-describedby': stands.id, title: test.name, on: { click: choose } },
      test.name, test.browser && test.id.endsWith(`(${test.browser})`) && ` (${test.browser})`),
    h('span', { class: 'quiet' }, test.duration === null ? '' : lasted(test.duration)));
}
