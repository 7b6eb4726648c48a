// All runs, the newest first.

import { read } from '../api/client.js';
import { runDialog } from '../runs/starting.js';
import { runRow, runRows, waitingWords } from '../runs/rows.js';
import { whyNot } from '../shell/caller.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { button, choice, head, moreButton } from '../view/parts.js';
import { empty, trouble } from '../view/trouble.js';

const STATES = [['', 'All'], ['running', 'Running'], ['paused', 'Paused'], ['stopped', 'Stopped'], ['finished', 'Finished']];
const REFRESH = 3000;

export async function open(place) {
  const { signal } = place;
  let status = place.query.get('status') ?? '';
  const list = h('div');
  const says = h('p', { class: 'quiet', role: 'status' });
  let pages = 1;
  const load = async () => {
    const found = await read('/server/runs', { status, limit: 50 }, signal);
    says.textContent = waitingWords(found);
    if (list.contains(document.activeElement) && list.querySelector('.rows')) return;
    draw(found);
  };
  let known = '';
  const draw = (found) => {
    // Nothing is built anew under the pointer without need.
    const now = JSON.stringify([status, found]);
    if (now === known) return;
    known = now;
    pages = 1;
    if (found.items.length + found.waiting.length === 0) {
      put(list, empty(status ? `No run is ${status}.` : 'No runs yet.', 'Start one here, or with ', h('code', {}, 'assay run'), ' in the project folder.'));
      return;
    }
    const rows = runRows(status ? { ...found, waiting: [] } : found);
    put(list, rows, moreButton(found.next, async (cursor) => {
      const next = await read('/server/runs', { status, cursor, limit: 50 }, signal);
      rows.append(...next.items.map((run) => runRow(run, false)));
      pages += 1;
      return next.next;
    }));
  };
  const first = await read('/server/runs', { status, limit: 50 }, signal);
  const states = choice('Which runs', STATES, status, (chosen) => {
    status = chosen;
    setQuery({ status });
    load().catch((error) => put(list, trouble(error, load)));
  });
  place.show('Runs',
    head('Runs', { actions: [button('Run tests…', () => runDialog(), { first: true, key: 'n', whyNot: whyNot('run') })] }),
    h('div', { class: 'bar' }, states, says), list);
  says.textContent = waitingWords(first);
  draw(first);
  const timer = setInterval(() => {
    // More pages are open only while somebody reads them.
    if (!document.hidden && pages === 1) load().catch(() => {});
  }, REFRESH);
  signal.addEventListener('abort', () => clearInterval(timer));
}
