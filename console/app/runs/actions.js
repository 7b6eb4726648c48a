// What can be done with a run: stop, pause, resume, and again.

import { write } from '../api/client.js';
import { route } from '../api/paths.js';
import { whyNot } from '../shell/caller.js';
import { confirmed } from '../shell/dialog.js';
import { attempt, notice } from '../shell/said.js';
import { button } from '../view/parts.js';
import { count } from '../view/time.js';
import { startRun } from './starting.js';

export function runActions(run, { isLive, again }) {
  const cannot = whyNot('run');
  const post = (what, body, says) => (pressed) => attempt(async () => {
    await write('POST', `${route.run(run.run)}/${what}`, body);
    notice(says);
    again();
  }, pressed);
  if (isLive) {
    return [
      button('Pause', post('stop', { pause: true }, 'Pausing the run.'), { whyNot: cannot }),
      button('Stop', async (pressed) => {
        if (await confirmed('Stop this run?', 'Tests under way are cut short. You can resume the run later.', 'Stop the run')) {
          await post('stop', {}, 'Stopping the run.')(pressed);
        }
      }, { whyNot: cannot, danger: true }),
    ];
  }
  const actions = [];
  if (['paused', 'stopped'].includes(run.status)) {
    actions.push(button('Resume', post('resume', {}, 'The run resumes when it is its turn.'), { first: true, whyNot: cannot }));
  }
  const red = redTests(run);
  if (red.length > 0) {
    actions.push(button(`Rerun ${count(red.length, 'red test')}`, (pressed) => startRun(orderForRed(red), pressed), { first: true, whyNot: cannot }));
  }
  return actions;
}

/** The tests of a run that did not pass in the end. */
export function redTests(run) {
  return (run.results ?? []).filter((result) => result.verdict !== 'passed');
}

/** The same tests in the same browsers; a repetition counts as its test. */
export function orderForRed(red) {
  const tests = [...new Set(red.map((result) => result.test))];
  return { tests, browsers: [...new Set(red.map((result) => result.browser))].filter(Boolean) };
}
