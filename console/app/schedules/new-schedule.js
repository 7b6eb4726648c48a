// A new schedule: when, in which time zone, and which tests.

import { read, write } from '../api/client.js';
import { dialog } from '../shell/dialog.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h, put } from '../view/element.js';
import { button, field } from '../view/parts.js';
import { localTime } from '../view/time.js';
import { sentence } from '../view/trouble.js';

export function newSchedule() {
  const text = (value, placeholder) => h('input', { type: 'text', value, placeholder, autocomplete: 'off', spellcheck: 'false' });
  const name = text('', 'nightly');
  const cron = text('30 7 * * 1-5');
  const zone = text(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');
  const tags = text('', 'smoke');
  for (const one of [name, cron, zone]) one.required = true;
  const next = h('p', { class: 'quiet', role: 'status' });
  const look = async () => {
    const asked = { cron: cron.value.trim(), zone: zone.value.trim(), count: 3 };
    const found = await read('/server/cron', asked).catch((error) => error);
    if (asked.cron !== cron.value.trim() || asked.zone !== zone.value.trim()) return;
    put(next, found instanceof Error ? sentence(found.message) : `Next: ${found.next.map((tick) => localTime(tick.local)).join(', ')}`);
  };
  let waits;
  for (const one of [cron, zone]) {
    one.addEventListener('input', () => {
      clearTimeout(waits);
      waits = setTimeout(look, 300);
    });
  }
  look();
  dialog('New schedule', (close) => {
    const form = h('form', { class: 'form' }, field('Name', name),
      h('div', { class: 'two' }, field('When', cron, { help: 'Cron: minute, hour, day, month, weekday.' }), field('Time zone', zone)), next,
      field('Tags', tags, { help: 'Empty: all tests.' }), h('div', { class: 'buttons' }, h('button', { class: 'first' }, 'Create'), button('Cancel', close)));
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const wanted = tags.value.split(',').map((tag) => tag.trim()).filter(Boolean);
      const done = await attempt(() => write('POST', '/server/schedules', {
        name: name.value.trim(), cron: cron.value.trim(), zone: zone.value.trim(), work: { run: { tags: wanted } },
      }), form.querySelector('.first'));
      if (!done) return;
      close();
      go('/console/schedules');
    });
    return form;
  });
}
