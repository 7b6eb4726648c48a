// Schedules: runs that begin at a time.

import { readAll, write } from '../api/client.js';
import { page } from '../api/paths.js';
import { newSchedule } from '../schedules/new-schedule.js';
import { whyNot } from '../shell/caller.js';
import { confirmed } from '../shell/dialog.js';
import { go } from '../shell/router.js';
import { attempt } from '../shell/said.js';
import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { button, facts, head } from '../view/parts.js';
import { ago, localTime } from '../view/time.js';
import { empty } from '../view/trouble.js';

export async function open(place) {
  const found = await readAll('/server/schedules', {}, { signal: place.signal });
  place.show('Schedules',
    head('Schedules', { says: 'Runs and events that start at set times.', actions: [button('New schedule', newSchedule, { first: true, key: 'n', whyNot: whyNot('admin') })] }),
    found.items.length === 0 ? empty('No schedules yet.', 'A schedule can start a run every night. If the service was down at that time, it starts the run once when it is back.')
      : h('ul', { class: 'cards' }, found.items.map(card)));
}

function card(schedule) {
  const base = `/server/schedules/${encodeURIComponent(schedule.name)}`;
  const cannot = whyNot('admin');
  const then = (work) => (pressed) => attempt(async () => {
    await work();
    go('/console/schedules');
  }, pressed);
  const last = schedule.ticks[0];
  return h('li', { class: 'box' },
    h('div', { class: 'box-head' }, h('h2', {}, schedule.name), schedule.paused ? mark('paused') : mark('waiting', 'on')),
    facts([['When', [h('code', {}, schedule.cron), ` ${schedule.zone}`]], ['Next', schedule.next[0] && localTime(schedule.next[0].local)],
      ['Last', last && [lastWords(last), ' ', ago(last.taken_at)]], ['Created by', schedule.by]]),
    h('div', { class: 'buttons' },
      schedule.paused ? button('Resume', then(() => write('POST', `${base}/resume`, {})), { whyNot: cannot }) : button('Pause', then(() => write('POST', `${base}/pause`, {})), { whyNot: cannot }),
      button('Delete', async (pressed) => {
        if (await confirmed('Delete this schedule?', 'Its past runs stay.', 'Delete')) await then(() => write('DELETE', base, {}))(pressed);
      }, { danger: true, whyNot: cannot })));
}

function lastWords(tick) {
  if (tick.run) return [h('a', { href: page.run(tick.run) }, 'a run'), tick.status && `, ${tick.status}`, tick.missed > 0 && `, for ${tick.missed} missed`];
  return tick.note || (tick.event ? `event ${tick.event}` : 'started nothing');
}
