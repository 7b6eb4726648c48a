// The audit log: who changed what through the service.

import { read } from '../api/client.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { head, moreButton, table, tableRow } from '../view/parts.js';
import { ago } from '../view/time.js';
import { empty } from '../view/trouble.js';

const COLUMNS = [
  ['When', (entry) => ago(entry.at)],
  ['Who', (entry) => entry.who],
  ['From', (entry) => entry.peer],
  ['What', (entry) => h('code', {}, `${entry.method.toUpperCase()} ${entry.path}`)],
  ['Answer', (entry) => (entry.status === undefined ? mark('interrupted', 'no answer') : mark(entry.status < 400 ? 'passed' : 'failed', String(entry.status)))],
];

export async function open(place) {
  const found = await read('/server/audit', { limit: 100 }, place.signal);
  const listed = table('Audit log', COLUMNS, found.items);
  const body = listed.querySelector('tbody');
  place.show('Audit log', head('Audit log', { says: 'Every change made through the service, recorded before it happens.' }),
    found.items.length === 0 ? empty('No changes yet.') : [listed, moreButton(found.next, async (cursor) => {
      const next = await read('/server/audit', { limit: 100, cursor }, place.signal);
      body.append(...next.items.map((entry) => tableRow(COLUMNS, entry)));
      return next.next;
    })]);
}
