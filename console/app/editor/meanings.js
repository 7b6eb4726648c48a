// What each sentence of a text means, or why the text is no test.

import { h, put } from '../view/element.js';
import { shape } from '../view/mark.js';
import { box, button } from '../view/parts.js';
import { count } from '../view/time.js';
import { sentence } from '../view/trouble.js';

const PARTS = { precondition: 'Precondition', setup: 'Setup', step: 'Step', expected: 'Expected', teardown: 'Teardown' };

export function meaningsView() {
  const says = h('p', { class: 'quiet', role: 'status' });
  const list = h('div', { class: 'meanings', tabindex: 0, role: 'group', 'aria-label': 'Sentences and their meanings' });
  const node = box('What each sentence means', [says, list]);
  let lines = [];
  return {
    node,
    lines: () => lines,
    busy() {
      node.setAttribute('aria-busy', 'true');
    },
    show(tests) {
      lines = [];
      node.removeAttribute('aria-busy');
      const unclear = tests.flatMap((test) => test.steps).filter((step) => step.understood === false).length;
      const hollow = tests.filter((test) => test.no_expectation).length;
      says.textContent = [unclear ? `${count(unclear, 'sentence is', 'sentences are')} not understood.` : 'Every sentence is understood.',
        hollow ? `${count(hollow, 'test expects', 'tests expect')} nothing.` : ''].join(' ').trim();
      put(list, tests.map((test) => h('section', { class: 'meaning' }, tests.length > 1 && h('h3', { class: 'part' }, test.id), h('ol', {}, test.steps.map(row)))));
    },
    mistaken(error, goTo) {
      node.removeAttribute('aria-busy');
      lines = [...new Set([...error.message.matchAll(/:(\d+)(?::\d+)?[:\s]/g), ...error.message.matchAll(/line (\d+)/g)].map((found) => Number(found[1])))];
      says.textContent = 'This text is not a valid test.';
      put(list, h('pre', { class: 'is-bad' }, error.code === 'unreachable' ? sentence(error.message) : error.message),
        h('div', { class: 'buttons' }, lines.slice(0, 3).map((line) => button(`Go to line ${line}`, () => goTo(line)))));
    },
    withheld(why) {
      says.textContent = why;
    },
    theirs(file, take) {
      says.textContent = 'Their text:';
      put(list, h('pre', {}, file.text), button('Use theirs and discard mine', take));
    },
  };
}

function row(step) {
  const state = step.understood === false ? 'failed' : step.part === 'precondition' && step.means[0]?.startsWith('assumed') ? 'inconclusive' : 'passed';
  return h('li', { class: `meaning-row is-${state}` }, shape(state),
    h('div', {}, h('p', {}, h('span', { class: 'quiet' }, `${PARTS[step.part] ?? step.part}: `), step.text, state === 'failed' && h('span', { class: 'hidden' }, ' (not understood)')),
      h('ul', {}, step.means.map((line) => h('li', { class: state === 'failed' ? 'is-bad' : 'quiet' }, h('code', {}, line))))));
}
