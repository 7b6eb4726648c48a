// The HTML report of a run, in a frame of its own: it quotes pages that were tested, and reaches nothing.

import { read } from '../api/client.js';
import { route } from '../api/paths.js';
import { h, put } from '../view/element.js';
import { empty, loading, trouble } from '../view/trouble.js';

export function reportView(run) {
  const node = h('div', {});
  let isShown = false;
  return {
    node,
    async draw(story, state) {
      if (isShown) return;
      if (state.isLive) {
        put(node, empty('The report is ready when the run ends.'));
        return;
      }
      isShown = true;
      put(node, loading());
      try {
        const { address } = await read(`${route.run(run)}/report`);
        put(node, h('p', { class: 'bar' }, h('a', { href: address, target: '_blank', rel: 'noopener' }, 'Open the report in a new tab')),
          h('iframe', { src: address, class: 'report', title: 'Report of the run' }));
      } catch (error) {
        put(node, error.status === 404 ? empty('This run has no report.', 'A run that was stopped or deleted has none.') : trouble(error));
      }
    },
  };
}
