// Places for the screens of a graph: a column for each distance from the entry. No drawing.

export const NODE = { width: 176, height: 40 };
const GAP = { x: 90, y: 22 };

/** Places by name, and the size of the whole. */
export function places(tree, edges) {
  const depth = depths(tree, edges);
  const columns = [];
  for (const screen of tree.screens) (columns[depth.get(screen.name)] ??= []).push(screen.name);
  const filled = columns.filter(Boolean);
  const tallest = Math.max(1, ...filled.map((column) => column.length));
  const height = tallest * (NODE.height + GAP.y) + GAP.y;
  const found = new Map();
  filled.forEach((column, at) => {
    const sorted = at === 0 ? column : byNeighbours(column, edges, found);
    const step = height / sorted.length;
    sorted.forEach((name, row) => found.set(name, { x: GAP.y + at * (NODE.width + GAP.x), y: step * row + (step - NODE.height) / 2 }));
  });
  return { places: found, width: GAP.y * 2 + filled.length * (NODE.width + GAP.x) - GAP.x, height };
}

function depths(tree, edges) {
  const depth = new Map();
  const begin = tree.entry?.length ? tree.entry : tree.screens.slice(0, 1).map((screen) => screen.name);
  let wave = begin;
  let distance = 0;
  for (const name of wave) depth.set(name, 0);
  while (wave.length > 0) {
    distance += 1;
    const next = new Set();
    for (const edge of edges) {
      if ((wave.includes(edge.from) || (edge.from === '*' && distance === 1)) && !depth.has(edge.to)) next.add(edge.to);
    }
    for (const name of next) depth.set(name, distance);
    wave = [...next];
  }
  for (const screen of tree.screens) if (!depth.has(screen.name)) depth.set(screen.name, distance);
  return depth;
}

/** Screens stand near those that lead to them, so that fewer lines cross. */
function byNeighbours(column, edges, found) {
  const middle = (name) => {
    const before = edges.filter((edge) => edge.to === name && found.has(edge.from)).map((edge) => found.get(edge.from).y);
    return before.length ? before.reduce((sum, y) => sum + y, 0) / before.length : Infinity;
  };
  return column.map((name) => [name, middle(name)]).sort((one, other) => one[1] - other[1] || one[0].localeCompare(other[0])).map(([name]) => name);
}
