// How far a run is: one bar and the numbers in words.

import { shareBar } from '../charts/share.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';

const ORDER = [['passed', 'passed'], ['inconclusive', 'inconclusive'], ['failed', 'failed'], ['error', 'error'], ['running', 'running'], ['not-run', 'not run']];

/** How far a run is, in a sentence. */
export function progressWords(story) {
  const counts = story.counts();
  const done = story.tests.size - counts.running - counts['not-run'];
  const red = counts.failed + counts.error + counts.inconclusive;
  return `${done} of ${story.tests.size} done, ${red} red.`;
}

export function progressView() {
  const bar = h('div', { class: 'progress' });
  const words = h('p', { class: 'run-counts' });
  let known = '';
  return {
    node: h('div', { class: 'run-progress' }, bar, words),
    draw(story) {
      const counts = story.counts();
      const flaky = story.flaky();
      const now = JSON.stringify([counts, flaky]);
      if (now === known || story.tests.size === 0) return;
      known = now;
      put(bar, shareBar(ORDER.map(([kind, text]) => [kind, text, counts[kind]])));
      const done = story.tests.size - counts.running - counts['not-run'];
      put(words, h('span', {}, h('strong', {}, `${done} of ${story.tests.size}`), ' done'),
        ORDER.filter(([kind]) => counts[kind] > 0).map(([kind, text]) => mark(kind, `${counts[kind]} ${text}`)),
        flaky > 0 && mark('flaky', `${flaky} flaky`));
    },
  };
}
