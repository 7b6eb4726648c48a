// One test of a run: its steps with what they claimed, its pictures, and the page where it ended.

import { page, route } from '../api/paths.js';
import { h } from '../view/element.js';
import { mark, shape, wordOf } from '../view/mark.js';
import { facts } from '../view/parts.js';
import { lasted } from '../view/time.js';
import { filmStrip } from './film.js';

const PARTS = { precondition: 'Preconditions', setup: 'Setup', step: 'Steps', expected: 'Expected', teardown: 'Teardown' };

export function testDetails(run, test) {
  return [
    h('h2', { tabindex: -1 }, test.name),
    h('p', { class: 'run-facts' }, mark(test.state), test.flaky && mark('flaky'), test.healed && h('a', { href: `/console/heals?run=${encodeURIComponent(run)}` }, 'healed'),
      test.duration !== null && h('span', { class: 'quiet' }, lasted(test.duration)), test.attempt > 1 && h('span', { class: 'quiet' }, `attempt ${test.attempt}`),
      test.browser && h('span', { class: 'quiet' }, test.browser), test.file && h('a', { href: page.test(test.file, test.id) }, test.file)),
    test.reason && h('p', { class: `why is-${test.state}` }, test.reason),
    test.claimsNothing && h('p', { class: 'why is-inconclusive' }, 'This test expects nothing. It shows only that its steps can be carried out.'),
    test.notes.map((note) => h('p', { class: 'quiet' }, note)),
    test.pictures.length > 0 && filmStrip(run, test.pictures),
    steps(test),
    test.lastPage && lastPage(run, test.lastPage),
  ];
}

function steps(test) {
  const known = test.steps.filter(Boolean);
  if (known.length === 0) return h('p', { class: 'quiet' }, test.state === 'not-run' ? 'This test was not run.' : 'No step has started yet.');
  const groups = [];
  for (const step of known) {
    if (groups.at(-1)?.part !== step.part) groups.push({ part: step.part, steps: [] });
    groups.at(-1).steps.push(step);
  }
  return groups.map((group) => [h('h3', { class: 'part' }, PARTS[group.part] ?? group.part), h('ol', { class: 'steps' }, group.steps.map(stepRow))]);
}

function stepRow(step) {
  const bad = step.judgements.filter((judgement) => judgement.verdict !== 'passed');
  return h('li', { class: `step is-${step.state}` }, shape(step.state), h('span', { class: 'hidden' }, wordOf(step.state)),
    h('div', {},
      h('p', {}, step.text, step.duration !== undefined && h('span', { class: 'quiet' }, `  ${lasted(step.duration)}`)),
      bad.length > 0 ? bad.map(judgementRow) : step.reason && step.state !== 'passed' && h('p', { class: `why is-${step.state}` }, step.reason),
      step.notes.map((note) => h('p', { class: 'quiet' }, note)),
      step.commands.length > 0 && h('details', {}, h('summary', {}, step.commands.length === 1 ? 'What assay did' : `What assay did, ${step.commands.length} commands`),
        h('ul', { class: 'commands' }, step.commands.map((command) => h('li', {}, h('code', {}, command.command),
          command.because && h('span', { class: 'quiet' }, ` ${command.because}`), command.outcome && h('p', { class: 'quiet' }, command.outcome)))))));
}

function judgementRow(judgement) {
  const { expected, found, verdict } = judgement;
  // The reason says the same in a sentence, and stands above the steps.
  const isSaid = verdict === 'failed' && expected && found;
  return h('div', { class: `why is-${verdict}` }, !isSaid && h('p', {}, judgement.reason || judgement.claim),
    (expected || found) && facts([['Expected', expected], ['Found', found]]));
}

function lastPage(run, last) {
  return h('section', { class: 'last-page' }, h('h3', { class: 'part' }, 'Last page'),
    h('p', {}, h('code', {}, last.url)),
    last.screenshot && h('a', { href: route.artifact(run, last.screenshot), target: '_blank', rel: 'noopener' },
      h('img', { src: route.artifact(run, last.screenshot), alt: 'The page at the end of the test', loading: 'lazy' })),
    last.console_errors?.length > 0 && h('pre', {}, last.console_errors.join('\n')),
    last.failed_requests?.length > 0 && h('pre', {}, last.failed_requests.map((one) => `${one.method} ${one.url}: ${one.why}`).join('\n')));
}
