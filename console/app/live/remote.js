// A live page of the service: asks, acts one after the other, and hears of each change while somebody looks.

import { pause, read, write } from '../api/client.js';
import { route } from '../api/paths.js';

const WAIT_MS = 15000;

/** Opens one. `order`: `{text, path, test, go_on}`, `{url}` or `{device}`. Gives back its name. */
export async function openPage(order) {
  return (await write('POST', '/server/live', order, { keyed: false })).page;
}

/** Own pages that are still open, such as after a reload. `is(page)` says which. */
export async function ownPages(is) {
  const { items } = await read('/server/live');
  return items.filter((page) => page.mine && page.status !== 'ended' && is(page)).map((page) => page.page);
}

export class Remote {
  constructor(name) {
    this.base = route.live(name);
    this.busy = Promise.resolve();
    this.underWay = 0;
  }

  /** Hears of changes until the signal or the page ends: `heard({page, picture})`, `lost(error)` once it cannot. */
  async watch({ heard, lost, signal }) {
    let [state, picture] = [0, 0];
    let failures = 0;
    while (!signal.aborted) {
      if (document.hidden) {
        // Nobody looks: the service takes no pictures.
        await shown(signal);
        continue;
      }
      try {
        const update = await read(this.base, { state, picture, wait_ms: state ? WAIT_MS : undefined }, signal);
        failures = 0;
        state = update.state;
        picture = update.picture?.number ?? picture;
        heard(update);
        if (update.page?.status === 'ended') return;
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (error.status === 404 || failures > 4) {
          lost(error);
          return;
        }
        await pause(500 * failures);
      }
    }
  }

  /** Acts follow each other in the order in which they were given. */
  act(act, record) {
    this.underWay += 1;
    const done = this.busy.then(() => write('POST', `${this.base}/acts`, { ...act, record }, { keyed: false }));
    this.busy = done.catch(() => {}).finally(() => { this.underWay -= 1; });
    return done;
  }

  post(what, body) {
    return this.busy.then(() => write('POST', `${this.base}/${what}`, body, { keyed: false }));
  }

  put(what, body) {
    return write('PUT', `${this.base}/${what}`, body, { keyed: false });
  }

  read(what) {
    return read(`${this.base}/${what}`);
  }

  /** While this page of the console goes away. */
  endAtOnce() {
    fetch(this.base, { method: 'DELETE', keepalive: true, headers: { 'content-type': 'application/json' }, body: '{}', credentials: 'same-origin' }).catch(() => {});
  }

  end() {
    return write('DELETE', this.base, {}, { keyed: false });
  }
}

/** Ends when the page of the console is to be seen again. */
function shown(signal) {
  return new Promise((go) => {
    const look = () => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      signal.removeEventListener('abort', look);
      go();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look);
  });
}
