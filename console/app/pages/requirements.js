// Requirements beside their tests: what is wanted, what is tested, and what was shown.

import { read, readAll } from '../api/client.js';
import { page } from '../api/paths.js';
import { confirmedChart } from '../charts/confirmed.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { mark, shape, wordOf } from '../view/mark.js';
import { choice, head, search } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty } from '../view/trouble.js';

const SHOWN = [['', 'All'], ['failing', 'Failing'], ['uncovered', 'Without a test'], ['shown', 'Confirmed']];

/** How the tests of a requirement cover it. */
const COVERAGE = { full: 'fully covered', partial: 'partly covered', none: 'not covered', 'negative-only': 'negative tests only' };

export async function open(place) {
  const [totals, found] = await Promise.all([read('/server/coverage', {}, place.signal), readAll('/server/requirements', {}, { signal: place.signal })]);
  let show = place.query.get('show') ?? '';
  let words = '';
  const list = h('div');
  const says = h('p', { class: 'quiet', role: 'status' });
  const draw = () => {
    const some = found.items.filter((one) => wanted(one, show) && `${one.code} ${one.name} ${one.category ?? ''}`.toLowerCase().includes(words));
    says.textContent = count(some.length, 'requirement');
    put(list, some.length === 0 ? empty(found.items.length ? 'No requirement matches.' : 'The project has no requirements.', !found.items.length && ['Write them into ', h('code', {}, 'requirements/*.yaml'), ', and name them in tests with ', h('code', {}, 'requirements:'), '.'])
      : h('div', { class: 'matrix' }, some.map(row)));
  };
  place.show('Requirements', head('Requirements', { says: totals.suite }),
    totals.requirements > 0 && confirmedChart('How many requirements do tests confirm?', totals),
    found.problems.length > 0 && h('pre', {}, found.problems.join('\n')),
    h('div', { class: 'bar' }, search('Find a requirement', (text) => { words = text.toLowerCase(); draw(); }),
      choice('Which requirements', SHOWN, show, (chosen) => { show = chosen; setQuery({ show }); draw(); }), says),
    list);
  draw();
}

function wanted(one, show) {
  switch (show) {
    case 'failing': return one.tests.some((test) => test.standing === 'failed');
    case 'uncovered': return one.coverage === 'none' || one.coverage === 'negative-only';
    case 'shown': return one.is_shown;
    default: return true;
  }
}

function row(one) {
  return h('section', { class: 'box requirement', 'aria-label': `${one.code} ${one.name}` },
    h('div', { class: 'requirement-head' },
      h('div', {}, h('h2', {}, h('code', {}, one.code), ' ', one.name), one.category && h('span', { class: 'tag' }, one.category), !one.file && h('span', { class: 'tag' }, 'named only by tests')),
      h('div', { class: 'run-facts' }, mark(one.coverage, COVERAGE[one.coverage] ?? wordOf(one.coverage)), mark(one.is_shown ? 'passed' : 'not-run', one.is_shown ? 'confirmed' : 'not confirmed'))),
    one.description && h('p', {}, one.description),
    one.acceptance_criteria.length > 0 && h('ul', { class: 'criteria' }, one.acceptance_criteria.map((line) => h('li', {}, line))),
    one.tests.length === 0 ? h('p', { class: 'quiet' }, 'No test covers this requirement.')
      : h('ul', { class: 'cells' }, one.tests.map((test) => h('li', { class: `cell is-${test.standing}` }, shape(test.standing),
        h('div', {}, h('a', { href: page.test(test.file, test.id) }, test.name),
          h('p', { class: 'quiet' }, `${wordOf(test.coverage)} · ${wordOf(test.standing)}`, test.changed_since && ', changed since', test.at && [' · ', ago(test.at)]))))));
}
