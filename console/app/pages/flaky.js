// Flaky tests: mixed results and no change.

import { read } from '../api/client.js';
import { page } from '../api/paths.js';
import { strip } from '../charts/strip.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { choice, head, table } from '../view/parts.js';
import { ago, percent } from '../view/time.js';
import { empty } from '../view/trouble.js';

const DAYS = [['7', '7 days'], ['30', '30 days'], ['', 'All time']];

export async function open(place) {
  const list = h('div');
  const load = async (days) => {
    const found = await read('/server/flaky', { days }, place.signal);
    const histories = await Promise.all(found.items.slice(0, 40).map((test) => read('/server/tests/history', { test: test.test, limit: 30 }, place.signal)));
    put(list, found.items.length === 0
      ? empty('No test is flaky.', 'A test is flaky if it passed on a retry, or if the same test both passed and failed in one browser.')
      : table('Flaky tests', [
        ['Test', (test) => [h('a', { href: page.test(test.file, test.test) }, test.name), test.steps[0] && h('p', { class: 'quiet' }, `mostly at “${test.steps[0].text}”`)]],
        ['Flaky results', (test) => h('span', { title: `between ${percent(test.rate.low)} and ${percent(test.rate.high)}` }, `${test.rate.hits} of ${test.rate.of}`), 'number'],
        ['History', (test) => strip(histories[found.items.indexOf(test)]?.results ?? [], 30)],
        ['Browsers', (test) => test.engines.filter((one) => one.rate.hits).map((one) => one.browser).join(', ')],
        ['First seen', (test) => ago(test.first_seen)],
        ['Last seen', (test) => ago(test.last_seen)],
      ], found.items));
  };
  const days = place.query.get('days') ?? '30';
  await load(days);
  place.show('Flaky', head('Flaky tests', { says: 'Tests with mixed results and no change, the clearest cases first.' }),
    h('div', { class: 'bar' }, choice('Which time', DAYS, days, (chosen) => { setQuery({ days: chosen }); load(chosen); })), list);
}
