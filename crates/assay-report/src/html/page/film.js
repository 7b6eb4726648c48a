// Pictures: small ones that open, and the viewer that goes through all of a test.

const viewer = byId("viewer");
let reel = [];
let at = 0;

/** All pictures of an attempt in order: `{ picture, place, label }`, each once. */
function reelOf(attempt) {
  const frames = [];
  const add = (picture, place, label) => {
    if (picture !== null && picture !== undefined && (!frames.length || frames[frames.length - 1].picture !== picture)) frames.push({ picture, place, label });
  };
  for (const step of attempt.steps) for (const picture of step.pictures) add(picture, step.place, `After ${step.place}${step.text ? `: ${step.text}` : ""}`);
  if (attempt.page) add(attempt.page.picture, "end", "At the end");
  return frames;
}

function missing(image) {
  const note = h("span.missing", null, "The picture is not there");
  image.replaceWith(note);
}

function image(picture, alt) {
  const element = h("img", { src: run.pictures[picture], alt, loading: "lazy", decoding: "async" });
  element.addEventListener("error", () => missing(element), { once: true });
  return element;
}

/** A small picture that opens the viewer. */
function thumbnail(attempt, picture, caption, alt) {
  return h("figure.thumb", null,
    h("button", { type: "button", "aria-label": `Enlarge: ${alt}`, onclick: () => openViewer(attempt, picture) }, image(picture, "")),
    caption && h("figcaption", null, caption));
}

function openViewer(attempt, picture) {
  reel = reelOf(attempt);
  at = Math.max(0, reel.findIndex((frame) => frame.picture === picture));
  showFrame();
  viewer.showModal();
}

function turn(by) {
  at = Math.min(reel.length - 1, Math.max(0, at + by));
  showFrame();
}

function showFrame() {
  const frame = reel[at];
  const focused = document.activeElement && document.activeElement.dataset.turn;
  viewer.replaceChildren(
    h("div.viewer-bar", null,
      h("p", { role: "status" }, h("strong", null, `${at + 1} of ${reel.length}`), ` ${frame.label}`),
      h("div.viewer-buttons", null,
        h("button", { type: "button", "data-turn": "back", disabled: at === 0, onclick: () => turn(-1) }, "← Before"),
        h("button", { type: "button", "data-turn": "on", disabled: at === reel.length - 1, onclick: () => turn(1) }, "After →"),
        h("button", { type: "button", "data-turn": "close", onclick: () => viewer.close() }, "Close"))),
    h("div.viewer-picture", { tabindex: "0", role: "group", "aria-label": "Picture" }, image(frame.picture, frame.label)));
  const again = focused && viewer.querySelector(`[data-turn="${focused}"]:not(:disabled)`);
  if (again) again.focus();
}

viewer.addEventListener("keydown", (event) => {
  if (event.key === "ArrowLeft") turn(-1);
  else if (event.key === "ArrowRight") turn(1);
  else return;
  event.preventDefault();
});
viewer.addEventListener("click", (event) => {
  if (event.target === viewer) viewer.close();
});
