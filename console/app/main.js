// Starts the console: asks who looks at it, shows the sections, and opens the page of the address.

import { read } from './api/client.js';
import { setCaller } from './shell/caller.js';
import { listenToKeys } from './shell/keys.js';
import { showSections } from './shell/navigation.js';
import { find, startRouter } from './shell/router.js';
import { showTools } from './shell/tools.js';
import { trouble } from './view/trouble.js';
import { put } from './view/element.js';
import { keepTimesTrue } from './view/time.js';

async function start() {
  // The page of the address loads meanwhile; the router tells if it cannot.
  find(location.pathname)?.load().catch(() => {});
  try {
    const caller = await read('/server/caller');
    setCaller(caller);
    document.querySelector('#suite').textContent = caller.suite;
  } catch (error) {
    put(document.querySelector('#content'), trouble(error, () => location.reload()));
    return;
  }
  showSections();
  showTools();
  listenToKeys();
  keepTimesTrue();
  startRouter();
}

start();
