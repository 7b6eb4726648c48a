// Requirements beside their tests: what is wanted, what is tested, and what was shown.

import { read, readAll } from '../api/client.js';
import { page } from '../api/paths.js';
import { shareChart } from '../charts/share.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { mark, shape, wordOf } from '../view/mark.js';
import { choice, head, search } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty } from '../view/trouble.js';

const SHOWN = [['', 'All'], ['failing', 'Failing'], ['uncovered', 'Without a test'], ['shown', 'Shown']];

export async function open(place) {
  const [totals, found] = await Promise.all([read('/server/coverage', {}, place.signal), readAll('/server/requirements', {}, { signal: place.signal })]);
  let show = place.query.get('show') ?? '';
  let words = '';
  const list = h('div');
  const says = h('p', { class: 'quiet', role: 'status' });
  const draw = () => {
    const some = found.items.filter((one) => wanted(one, show) && `${one.code} ${one.name} ${one.category ?? ''}`.toLowerCase().includes(words));
    says.textContent = count(some.length, 'requirement');
    put(list, some.length === 0 ? empty(found.items.length ? 'No requirement is like that.' : 'The project has no requirements.', !found.items.length && [h('code', {}, 'requirements/*.yaml'), ' says what is wanted; ', h('code', {}, 'requirements:'), ' in a test names what it covers.'])
      : h('div', { class: 'matrix' }, some.map(row)));
  };
  const share = totals.requirements ? Math.round((totals.shown / totals.requirements) * 100) : 0;
  place.show('Requirements', head('Requirements', { says: totals.suite }),
    totals.requirements > 0 && shareChart('How much of what is wanted do tests show?', `Tests show ${totals.shown} of ${count(totals.requirements, 'requirement')} (${share} %); ${totals.failing || 'none'} ${totals.failing === 1 ? 'fails' : 'fail'}.`, [
      ['passed', 'shown', totals.shown], ['inconclusive', 'covered, not shown', totals.full - totals.shown], ['flaky', 'covered in part', totals.partial],
      ['error', 'only what must not work', totals.negative_only], ['not-run', 'without a test', totals.none]]),
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
      h('div', {}, h('h2', {}, h('code', {}, one.code), ' ', one.name), one.category && h('span', { class: 'tag' }, one.category), !one.file && h('span', { class: 'tag' }, 'only named by tests')),
      h('div', { class: 'run-facts' }, mark(one.coverage, `coverage ${wordOf(one.coverage)}`), mark(one.is_shown ? 'passed' : 'not-run', one.is_shown ? 'shown' : 'not shown'))),
    one.description && h('p', {}, one.description),
    one.acceptance_criteria.length > 0 && h('ul', { class: 'criteria' }, one.acceptance_criteria.map((line) => h('li', {}, line))),
    one.tests.length === 0 ? h('p', { class: 'quiet' }, 'No test names it.')
      : h('ul', { class: 'cells' }, one.tests.map((test) => h('li', { class: `cell is-${test.standing}` }, shape(test.standing),
        h('div', {}, h('a', { href: page.test(test.file, test.id) }, test.name),
          h('p', { class: 'quiet' }, `${wordOf(test.coverage)} · ${wordOf(test.standing)}`, test.changed_since && ', changed since', test.at && [' · ', ago(test.at)]))))));
}
