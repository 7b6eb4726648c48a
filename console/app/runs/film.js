// Pictures of a run in their order, and each of them large.

import { route } from '../api/paths.js';
import { dialog } from '../shell/dialog.js';
import { h, put } from '../view/element.js';
import { clock } from '../view/time.js';
import { empty } from '../view/trouble.js';

const MOST = 400;

/** Pictures of one test, or of several. */
export function filmStrip(run, pictures) {
  const shown = pictures.slice(-MOST);
  return h('ul', { class: 'film', 'aria-label': 'Screenshots' }, shown.map((picture, at) => h('li', {},
    h('button', { type: 'button', class: 'frame-button', on: { click: () => large(run, shown, at) } },
      h('img', { src: route.artifact(run, picture.path), alt: captionOf(picture), loading: 'lazy', width: 160, height: 100 }),
      h('span', { class: 'quiet' }, clock(picture.at))))));
}

function captionOf(picture) {
  const step = picture.test.steps[picture.step]?.text;
  return step ? `${picture.test.name}: ${step}` : picture.test.name;
}

function large(run, pictures, at) {
  dialog('Film strip', () => {
    const place = h('figure', { class: 'large-picture' });
    const back = h('button', { type: 'button', on: { click: () => turn(-1) } }, 'Previous');
    const next = h('button', { type: 'button', on: { click: () => turn(1) } }, 'Next');
    const draw = () => {
      const picture = pictures[at];
      put(place, h('img', { src: route.artifact(run, picture.path), alt: captionOf(picture) }), h('figcaption', { 'aria-live': 'polite' }, `${at + 1} of ${pictures.length} · ${captionOf(picture)}`));
      back.disabled = at === 0;
      next.disabled = at === pictures.length - 1;
    };
    const turn = (by) => {
      at = Math.min(pictures.length - 1, Math.max(0, at + by));
      draw();
    };
    draw();
    const whole = h('div', {}, place, h('div', { class: 'buttons' }, back, next));
    whole.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowLeft') turn(-1);
      if (event.key === 'ArrowRight') turn(1);
    });
    return whole;
  }, { isWide: true });
}

/** The pictures of the whole run, test by test. */
export function filmView(run) {
  const node = h('div', { class: 'films' });
  let known = -1;
  return {
    node,
    draw(story) {
      const tests = [...story.tests.values()].filter((test) => test.pictures.length > 0);
      const count = tests.reduce((sum, test) => sum + test.pictures.length, 0);
      if (count === known) return;
      known = count;
      put(node, tests.length === 0 ? empty('This run has no screenshots.')
        : tests.slice(0, 100).map((test) => h('section', {}, h('h2', {}, test.name), filmStrip(run, test.pictures))));
    },
  };
}
