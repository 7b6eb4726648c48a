// The tests of the project as a tree of files, each with its last result.

import { readAll } from '../api/client.js';
import { page } from '../api/paths.js';
import { newTestDialog } from '../editor/new-test.js';
import { runDialog } from '../runs/starting.js';
import { whyNot } from '../shell/caller.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, choice, head, search } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty } from '../view/trouble.js';

const SHOWN = [['', 'All'], ['red', 'Red'], ['never', 'Never run'], ['flaky', 'Flaky']];

export async function open(place) {
  const found = await readAll('/server/tests', {}, { signal: place.signal });
  let words = place.query.get('find') ?? '';
  let show = place.query.get('show') ?? '';
  const tree = h('div', { class: 'tree' });
  const says = h('p', { class: 'quiet', role: 'status' });
  const draw = () => {
    const tests = found.items.filter((test) => isWanted(test, words, show));
    says.textContent = `${count(tests.length, 'test')} in ${count(new Set(tests.map((test) => test.file)).size, 'file')}`;
    put(tree, tests.length === 0
      ? empty(found.items.length === 0 ? 'The project has no tests yet.' : 'No test matches.', found.items.length === 0 && 'Write the first one: a name, a few steps, and what you expect.')
      : folders(tests, Boolean(words || show)));
  };
  place.show('Tests',
    head('Tests', {
      says: found.suite,
      actions: [
        h('a', { href: '/console/bin' }, 'Bin'),
        button('Run tests…', () => runDialog(), { whyNot: whyNot('run') }),
        button('New test', () => newTestDialog(found.items), { first: true, key: 'n', whyNot: whyNot('run') }),
      ],
    }),
    found.problems.length > 0 && h('div', { class: 'trouble' }, h('p', {}, h('strong', {}, `${count(found.problems.length, 'file')} cannot be read.`)), found.problems.map((problem) => h('pre', {}, problem))),
    h('div', { class: 'bar' },
      search('Find by name, id, file or tag', (text) => { words = text; setQuery({ find: text }); draw(); }, words),
      choice('Which tests', SHOWN, show, (chosen) => { show = chosen; setQuery({ show: chosen }); draw(); }), says),
    tree);
  draw();
}

function isWanted(test, words, show) {
  const verdict = test.last?.verdict;
  const isShown = show === '' || (show === 'red' && verdict && verdict !== 'passed') || (show === 'never' && !verdict) || (show === 'flaky' && test.last?.flaky);
  const text = `${test.name} ${test.id} ${test.file} ${test.tags.join(' ')} ${test.requirements.join(' ')}`.toLowerCase();
  return isShown && words.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

function folders(tests, isOpen) {
  const files = Map.groupBy ? Map.groupBy(tests, (test) => test.file) : grouped(tests);
  return [...files].map(([file, inside]) => {
    const red = inside.filter((test) => test.last && test.last.verdict !== 'passed').length;
    const never = inside.filter((test) => !test.last).length;
    const state = red ? 'failed' : never === inside.length ? 'not-run' : 'passed';
    const words = red ? `${red} of ${inside.length} red` : never === inside.length ? 'never run' : never ? `${inside.length - never} of ${inside.length} passed` : `all ${inside.length} passed`;
    return h('div', { class: 'file' }, h('details', { open: isOpen || files.size <= 12 || red > 0 },
      h('summary', {}, h('span', { class: 'file-name' }, file), mark(state, words)),
      h('ul', { class: 'rows', 'data-walk': true }, inside.map(row))),
    h('a', { class: 'file-edit', href: page.test(file) }, 'Edit', h('span', { class: 'hidden' }, ` ${file}`)));
  });
}

function grouped(tests) {
  const files = new Map();
  for (const test of tests) files.set(test.file, [...(files.get(test.file) ?? []), test]);
  return files;
}

function row(test) {
  return h('li', { class: 'row' }, mark(test.last ? (test.last.flaky ? 'flaky' : test.last.verdict) : 'never-run'),
    h('div', { class: 'row-main' }, h('a', { href: page.test(test.file, test.id) }, test.name),
      h('span', { class: 'tags' }, test.tags.map((tag) => h('span', { class: 'tag' }, tag)), test.requirements.map((one) => h('span', { class: 'tag is-requirement' }, one))),
      test.last?.reason && h('p', { class: 'quiet clipped' }, test.last.reason)),
    h('span', { class: 'quiet row-end' }, test.last ? h('a', { href: page.testOfRun(test.last.run, test.last.id), class: 'quiet' }, ago(test.last.at)) : `${count(test.steps, 'step')}`));
}
