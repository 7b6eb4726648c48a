// One incident: its alerts, what was done, and closing it.

import { read, write } from '../api/client.js';
import { route } from '../api/paths.js';
import { whyNot } from '../shell/caller.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { box, facts, field, head } from '../view/parts.js';
import { ago, count } from '../view/time.js';

const KINDS = { alert: 'failed', failed: 'failed', done: 'passed', begun: 'running', closed: 'ended', evidence: 'waiting', note: 'not-run' };

export async function open(place) {
  const incident = await read(route.incident(place.params.incident), {}, place.signal);
  const title = incident.class || incident.type;
  place.show(title, head(title, { above: h('a', { href: '/console/incidents' }, 'Incidents') }),
    h('p', { class: 'run-facts' }, mark(incident.status === 'closed' ? 'ended' : incident.severity, incident.status === 'closed' ? 'closed' : incident.severity), h('code', {}, incident.type), count(incident.repeats, 'alert')),
    box('Summary', facts([['Device', incident.device], ['Machine', incident.host], ['Opened', ago(incident.opened_at)], ['Last alert', ago(incident.last_at)],
      ['Handled', incident.handled_at && ago(incident.handled_at)], ['Closed', incident.closed_at && ago(incident.closed_at)], ['Resolution', incident.resolution]])),
    box('What happened?', h('ol', { class: 'timeline' }, incident.timeline.map((entry) => h('li', {}, mark(KINDS[entry.kind] ?? 'not-run', entry.kind), h('div', {}, h('p', {}, entry.text),
      entry.body && Object.keys(entry.body).length > 0 && h('details', {}, h('summary', {}, 'Details'), h('pre', {}, JSON.stringify(entry.body, null, 2)))), h('span', { class: 'quiet' }, ago(entry.at)))))),
    incident.status === 'open' && box('Close the incident', closing(incident)));
}

function closing(incident) {
  const words = h('input', { type: 'text', required: true, autocomplete: 'off', placeholder: 'Restarted the application' });
  const close = h('button', { class: 'first', disabled: Boolean(whyNot('run')), title: whyNot('run') }, 'Close the incident');
  const form = h('form', { class: 'form' }, field('Resolution', words), h('div', { class: 'buttons' }, close));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(async () => {
      await write('POST', `${route.incident(incident.number)}/close`, { resolution: words.value.trim() });
      go(`/console/incidents/${incident.number}`);
    }, close);
  });
  return form;
}
