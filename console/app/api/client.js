// Requests to the service that served this page. The browser says who asks; nothing secret is kept here.

import { Problem, Unreachable } from './problem.js';

const TRIES = 3;

/** Reads. `query` is an object; what is undefined in it is left out. */
export function read(path, query = {}, signal) {
  return once('GET', withQuery(path, query), { signal });
}

/** Writes. One key for all tries, so that the service carries it out once. */
export async function write(method, path, body, { signal, keyed = true } = {}) {
  const headers = { 'content-type': 'application/json' };
  if (keyed) headers['idempotency-key'] = freshKey();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(method, path, { signal, headers, body: JSON.stringify(body ?? {}) });
    } catch (error) {
      const isWorthIt = keyed && error instanceof Unreachable && attempt < TRIES && !signal?.aborted;
      if (!isWorthIt) throw error;
      await pause(300 * attempt);
    }
  }
}

/** All pages of a list, up to `most` items. */
export async function readAll(path, query = {}, { most = 5000, signal } = {}) {
  const items = [];
  let page = null;
  let cursor;
  do {
    page = await read(path, { ...query, cursor, limit: 500 }, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor && items.length < most);
  return { ...page, items };
}

async function once(method, path, { signal, headers, body }) {
  let answer;
  try {
    answer = await (begun(method, path) ?? fetch(path, { method, signal, headers, body, credentials: 'same-origin' }));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable(error);
  }
  const text = await answer.text();
  const value = parsed(text);
  if (!answer.ok) throw new Problem(answer.status, value ?? { detail: text.slice(0, 300) });
  if (value === undefined) throw new Problem(answer.status, { detail: 'the answer is no JSON' });
  return value;
}

/** What was asked for before the modules were there (shell/early.js). It counts once. */
function begun(method, path) {
  const asked = method === 'GET' ? globalThis.early?.get(path) : undefined;
  globalThis.early?.delete(path);
  return asked;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withQuery(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '' && value !== false);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `${path}?${text}` : path;
}

/** Works on pages without TLS too, where `randomUUID` is missing. */
export function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function pause(ms) {
  return new Promise((go) => setTimeout(go, ms));
}
