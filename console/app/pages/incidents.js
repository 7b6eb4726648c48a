// Incidents: what went wrong with devices, and the events that came in.

import { read } from '../api/client.js';
import { page } from '../api/paths.js';
import { setQuery } from '../shell/router.js';
import { h, put } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, choice, head, moreButton, table } from '../view/parts.js';
import { ago, count } from '../view/time.js';
import { empty } from '../view/trouble.js';

const SHOWN = [['open', 'Open'], ['closed', 'Closed'], ['', 'All']];

export async function open(place) {
  let status = place.query.get('status') ?? 'open';
  const list = h('div');
  const load = async () => {
    const found = await read('/server/incidents', { status, limit: 50 }, place.signal);
    if (found.items.length === 0) {
      put(list, empty(status ? `No incident is ${status}.` : 'No incidents yet.', 'An alert opens an incident: ', h('code', {}, 'assay event publish alert.app_crash')));
      return;
    }
    const rows = h('ul', { class: 'rows', 'data-walk': true, 'aria-label': 'Incidents' }, found.items.map(row));
    put(list, rows, moreButton(found.next, async (cursor) => {
      const next = await read('/server/incidents', { status, cursor, limit: 50 }, place.signal);
      rows.append(...next.items.map(row));
      return next.next;
    }));
  };
  const events = await read('/server/events', { limit: 20 }, place.signal);
  place.show('Incidents', head('Incidents', { says: 'Repeated alerts about the same problem form one incident.' }),
    h('div', { class: 'bar' }, choice('Which incidents', SHOWN, status, (chosen) => { status = chosen; setQuery({ status }); load(); })), list,
    box('Latest events', events.items.length === 0 ? empty('No events yet.') : table('Latest events', [
      ['Event', (event) => h('code', {}, event.type)],
      ['Device', (event) => event.device || event.host],
      ['Priority', (event) => event.priority],
      ['Handled', (event) => deliveries(event.deliveries)],
      ['When', (event) => ago(event.at)],
    ], events.items)));
  await load();
}

function deliveries(list) {
  const lost = list.filter((one) => one.trouble);
  if (lost.length > 0) return mark('failed', `${lost[0].subscriber}: ${lost[0].trouble}`);
  const done = list.filter((one) => one.done_at).length;
  return list.length === 0 ? h('span', { class: 'quiet' }, 'no listener') : `${done} of ${list.length}`;
}

function row(incident) {
  return h('li', { class: 'row' }, mark(incident.status === 'closed' ? 'ended' : incident.severity, incident.status === 'closed' ? 'closed' : incident.severity),
    h('div', { class: 'row-main' }, h('a', { href: page.incident(incident.number) }, incident.class || incident.type),
      h('p', { class: 'quiet' }, [incident.device || incident.host, incident.type, count(incident.repeats, 'alert')].join(' · '))),
    h('span', { class: 'quiet row-end' }, ago(incident.last_at)));
}
