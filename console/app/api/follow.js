// Follows a run. The browser comes back by itself with the number of the last event, so nothing is missed.

import { route } from './paths.js';

/** `heard(event, number)` for each event, `ended()` when the run is over, `lost(isLost)` while the stream is away. */
export function follow(run, { heard, ended, lost, signal }) {
  let stream = null;
  let last = 0;
  let again = null;
  const close = () => {
    clearTimeout(again);
    stream?.close();
  };
  const open = () => {
    stream = new EventSource(`${route.run(run)}/events${last ? `?after=${last}` : ''}`);
    stream.addEventListener('open', () => lost(false));
    stream.addEventListener('run', (message) => {
      const number = Number(message.lastEventId);
      if (number <= last) return;
      last = number;
      heard(JSON.parse(message.data), number);
    });
    stream.addEventListener('end', () => {
      close();
      ended();
    });
    stream.addEventListener('error', () => {
      lost(true);
      // After a refusal the browser does not come back; a service that starts again may answer.
      if (stream.readyState === EventSource.CLOSED && !signal.aborted) again = setTimeout(open, 2000);
    });
  };
  signal.addEventListener('abort', close);
  if (!signal.aborted) open();
}
