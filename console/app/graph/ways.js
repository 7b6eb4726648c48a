// Ways between screens with what was measured on them, and the best path. No drawing.

/** Seconds that a failed try costs, and that an untried way is taken to cost. */
const FAILED = 20_000;
const UNTRIED = 3_000;

/** Each way in its direction, with the measures that belong to it. */
export function directedEdges(tree, metrics) {
  const measured = new Map(metrics.map((one) => [keyOf(one), one]));
  const both = (tree.edges ?? []).flatMap((edge) => [
    { from: edge.from, to: edge.to, acts: edge.do },
    ...(edge.back?.length ? [{ from: edge.to, to: edge.from, acts: edge.back }] : []),
  ]);
  return both.map((edge) => ({ tries: 0, successes: 0, milliseconds: 0, ...measured.get(keyOf(edge)), ...edge }));
}

function keyOf({ from, to, acts }) {
  return JSON.stringify([from, to, acts]);
}

function cost(edge) {
  if (!edge.tries) return UNTRIED;
  const share = (edge.successes + 1) / (edge.tries + 2);
  return Math.max(1, edge.milliseconds) + (1 - share) * FAILED;
}

/** The edges of the cheapest path, or null. A way of any screen begins on each. */
export function bestPath(edges, from, to) {
  const costs = new Map([[from, 0]]);
  const came = new Map();
  const open = new Set([from]);
  while (open.size > 0) {
    const at = [...open].reduce((best, name) => (costs.get(name) < costs.get(best) ? name : best));
    if (at === to) break;
    open.delete(at);
    for (const edge of edges) {
      if ((edge.from !== at && edge.from !== '*') || edge.to === at) continue;
      const total = costs.get(at) + cost(edge);
      if (total >= (costs.get(edge.to) ?? Infinity)) continue;
      costs.set(edge.to, total);
      came.set(edge.to, { edge, before: at });
      open.add(edge.to);
    }
  }
  if (!costs.has(to)) return null;
  const path = [];
  for (let at = to; at !== from; at = came.get(at).before) path.unshift(came.get(at).edge);
  return path;
}
