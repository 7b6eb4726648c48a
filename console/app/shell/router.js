// From an address to its page. Leaving a page ends everything that it began.

import { ROUTES } from '../sections.js';
import { h, put } from '../view/element.js';
import { empty, loading, trouble } from '../view/trouble.js';
import { say } from './said.js';
import { markSection } from './navigation.js';

let leave = new AbortController();
let guard = null;
let shownAt = '';

/** A page with unsaved work: `asks()` says whether it may be left. */
export function guardLeaving(asks, signal) {
  guard = asks;
  signal.addEventListener('abort', () => {
    if (guard === asks) guard = null;
  });
}

export function startRouter() {
  addEventListener('popstate', () => {
    if (guard && !guard()) {
      history.pushState(null, '', shownAt);
      return;
    }
    open();
  });
  addEventListener('beforeunload', (event) => {
    if (guard && document.querySelector('[data-unsaved="true"]')) event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || !find(to.pathname)) return;
    if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
    event.preventDefault();
    go(to.pathname + to.search + to.hash);
  });
  open({ isFirst: true });
}

/** Opens another page of the console. */
export function go(path) {
  if (guard && !guard()) return;
  if (path !== location.pathname + location.search) history.pushState(null, '', path);
  open();
}

/** Changes the query without opening the page anew. */
export function setQuery(changes) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  shownAt = location.pathname + (text ? `?${text}` : '');
  history.replaceState(null, '', shownAt);
}

export function find(pathname) {
  const path = pathname.replace(/\/+$/, '') || '/';
  for (const [pattern, load] of ROUTES) {
    const params = match(pattern, path);
    if (params) return { load, params };
  }
  return null;
}

function match(pattern, path) {
  const wanted = pattern.split('/');
  const found = path.split('/');
  const params = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('*')) {
      if (found.length <= at) return null;
      params[part.slice(1)] = found.slice(at).map(decoded).join('/');
      return params;
    }
    if (found[at] === undefined) return null;
    if (part.startsWith(':')) params[part.slice(1)] = decoded(found[at]);
    else if (part !== found[at]) return null;
  }
  return wanted.length === found.length ? params : null;
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function open({ isFirst = false } = {}) {
  leave.abort();
  leave = new AbortController();
  const { signal } = leave;
  shownAt = location.pathname + location.search;
  const root = document.querySelector('#content');
  root.classList.remove('wide');
  markSection(location.pathname);
  const found = find(location.pathname);
  if (!found) {
    document.title = 'Page not found · assay';
    put(root, h('h1', { tabindex: -1 }, 'Page not found'), empty('The console has no page at this address.', h('a', { href: '/' }, 'Go to Home')));
    return arrived(root, isFirst);
  }
  const waits = setTimeout(() => put(root, loading()), 150);
  const place = {
    root,
    params: found.params,
    query: new URLSearchParams(location.search),
    signal,
    /** Puts the page in place: its title in words, then its content. */
    show(title, ...content) {
      clearTimeout(waits);
      if (signal.aborted) return;
      document.title = `${title} · assay`;
      put(root, ...content);
      arrived(root, isFirst);
    },
  };
  try {
    const page = await found.load();
    if (!signal.aborted) await page.open(place);
  } catch (error) {
    if (signal.aborted) return;
    document.title = 'Error · assay';
    put(root, h('h1', { tabindex: -1 }, 'This page could not be shown'), trouble(error, () => open()));
    arrived(root, isFirst);
  } finally {
    clearTimeout(waits);
  }
}

/** A new page: its title is read out and takes the focus, as if the browser had loaded it. */
function arrived(root, isFirst) {
  if (isFirst) return;
  scrollTo(0, 0);
  const title = root.querySelector('h1');
  title?.setAttribute('tabindex', '-1');
  (title ?? root).focus({ preventScroll: true });
  // The focus has the heading read out; what is not in it is said.
  const name = document.title.replace(/ · assay$/, '');
  if (title?.textContent !== name) say(name);
}
