// A picture with a frame around the element in question.

import { route } from '../api/paths.js';
import { h } from './element.js';

/** `picture`: `{path, run, target}`, or why there is none. */
export function healPicture(picture, run, when) {
  if (!picture || picture.missing) return h('p', { class: 'quiet' }, picture?.missing ? `No screenshot: ${picture.missing}` : 'No screenshot.');
  const { target } = picture;
  const part = (value, of) => `${(100 * value) / of}%`;
  const frame = target && h('span', {
    class: 'target-frame',
    vars: { left: part(target.x, target.view_width), top: part(target.y, target.view_height), width: part(target.width, target.view_width), height: part(target.height, target.view_height) },
  });
  const address = route.artifact(picture.run ?? run, inFolder(picture.path));
  return h('a', { class: 'target-picture', href: address, target: '_blank', rel: 'noopener' }, h('img', { src: address, alt: `The page ${when}`, loading: 'lazy' }), frame);
}

/** The service names the file as it sees it; its routes want it as seen from the folder of the run. */
function inFolder(path) {
  const at = path.lastIndexOf('screenshots/');
  return at < 0 ? path : path.slice(at);
}
