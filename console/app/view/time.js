// Moments and durations in words.

import { h } from './element.js';

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const STEPS = [['day', 86_400_000], ['hour', 3_600_000], ['minute', 60_000]];

/** `3 minutes ago`; the whole moment is in its title. It stays true while the page is open. */
export function ago(at) {
  if (!at) return h('span', { class: 'quiet' }, 'never');
  const moment = new Date(at);
  return h('time', { datetime: moment.toISOString(), title: whole.format(moment), 'data-ago': at }, agoWords(at));
}

export function keepTimesTrue() {
  setInterval(() => {
    if (document.hidden) return;
    for (const time of document.querySelectorAll('time[data-ago]')) {
      const words = agoWords(Number(time.dataset.ago));
      if (time.textContent !== words) time.textContent = words;
    }
  }, 15_000);
}

export function agoWords(at, now = Date.now()) {
  const passed = at - now;
  if (Math.abs(passed) > 30 * 86_400_000) return whole.format(new Date(at)).split(',')[0];
  for (const [unit, length] of STEPS) {
    if (Math.abs(passed) >= length) return relative.format(Math.round(passed / length), unit);
  }
  return Math.abs(passed) < 10_000 ? 'just now' : relative.format(Math.round(passed / 1000), 'second');
}

export function lasted(ms) {
  if (ms === undefined || ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export function clock(at) {
  return new Date(at).toTimeString().slice(0, 8);
}

/** A moment as the clock of its time zone shows it, without what everybody knows. */
export function localTime(text) {
  return text.slice(0, 16).replace('T', ' ');
}

export function percent(share) {
  return `${Math.round(share * 100)}%`;
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
