// How many requirements were confirmed by tests, as parts of all.

import { count, percent } from '../view/time.js';
import { shareChart } from './share.js';

/** `totals`: what `/server/coverage` answers, with at least one requirement. */
export function confirmedChart(question, totals) {
  const failing = totals.failing > 0 ? `; tests of ${totals.failing} fail` : '';
  const answer = `Tests confirm ${totals.shown} of ${count(totals.requirements, 'requirement')} (${percent(totals.shown / totals.requirements)})${failing}.`;
  return shareChart(question, answer, [
    ['passed', 'confirmed', totals.shown],
    ['inconclusive', 'covered, not confirmed', totals.full - totals.shown],
    ['flaky', 'partly covered', totals.partial],
    ['error', 'negative tests only', totals.negative_only],
    ['not-run', 'without a test', totals.none],
  ]);
}
