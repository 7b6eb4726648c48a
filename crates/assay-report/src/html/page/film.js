// Pictures: framed ones with what was aimed at, small ones that open, and the viewer that goes through all of a test.

const viewer = byId("viewer");
let reel = [];
let at = 0;

/**
 * All pictures of an attempt in order: `{ key, picture, mark, place, label }`. A page is there twice where it is both
 * what an act led to and what the next one was aimed at: without the mark and with it.
 */
function reelOf(attempt) {
  const frames = [];
  const add = (key, picture, mark, place, label) => {
    if (picture === null || picture === undefined) return;
    const last = frames[frames.length - 1];
    if (last && last.picture === picture && (!mark || last.mark === mark)) last.keys.push(key);
    else frames.push({ keys: [key], picture, mark, place, label });
  };
  attempt.steps.forEach((step, number) => {
    const what = `${step.place}${step.text ? `: ${step.text}` : ""}`;
    step.commands.forEach((command, order) => {
      add(`${number}.${order}.before`, command.before, markOn(command, "before"), step.place, `Before ${what}`);
      add(`${number}.${order}.after`, command.after, markOn(command, "after"), step.place, `After ${what}`);
    });
    const shown = new Set(step.commands.flatMap((command) => [command.before, command.after]));
    for (const picture of step.pictures) if (!shown.has(picture)) add(`${number}.${picture}`, picture, null, step.place, `At ${what}`);
  });
  if (attempt.page) add("end", attempt.page.picture, null, "end", "At the end");
  return frames;
}

/** The film: each page once, with the mark where there is one. */
function filmOf(attempt) {
  const frames = [];
  for (const frame of reelOf(attempt)) {
    const last = frames[frames.length - 1];
    if (last && last.picture === frame.picture && !last.mark) frames[frames.length - 1] = { ...frame, place: frame.place };
    else frames.push(frame);
  }
  return frames;
}

/** What the command was aimed at, if this picture of it shows that. */
function markOn(command, picture) {
  return command.target && (command.target.on || "before") === picture ? command.target : null;
}

function image(picture, alt) {
  const { src, width, height } = run.pictures[picture];
  const element = h("img", { src, alt, width, height, loading: "lazy", decoding: "async" });
  element.addEventListener("error", () => element.replaceWith(h("span.missing", null, "The picture is not there")), { once: true });
  return element;
}

/** A picture with a box around what was aimed at, and a spot where the pointer went. */
function framed(picture, mark, alt) {
  const { width, height } = run.pictures[picture];
  const frame = h("span.framed", null, image(picture, alt), mark && marks(mark));
  frame.style.setProperty("--ratio", width && height ? width / height : 1.6);
  return frame;
}

function marks(mark) {
  const box = h("span.target", { "aria-hidden": "true" });
  const percent = (length, of) => `${(100 * length) / of}%`;
  box.style.left = percent(mark.x, mark.view_width);
  box.style.top = percent(mark.y, mark.view_height);
  box.style.width = percent(mark.width, mark.view_width);
  box.style.height = percent(mark.height, mark.view_height);
  if (mark.at_x === undefined || mark.at_x === null) return [box];
  const spot = h("span.spot", { "aria-hidden": "true" });
  spot.style.left = percent(mark.at_x, mark.view_width);
  spot.style.top = percent(mark.at_y, mark.view_height);
  return [box, spot];
}

/** A small picture that opens the viewer where `key` says. */
function thumbnail(attempt, key, picture, mark, caption, alt) {
  return h("figure.thumb", null,
    h("button", { type: "button", "aria-label": `Enlarge: ${alt}${mark ? ", with its target marked" : ""}`, onclick: () => openViewer(attempt, key) }, framed(picture, mark, "")),
    caption && h("figcaption", null, caption));
}

function openViewer(attempt, key) {
  reel = reelOf(attempt);
  at = Math.max(0, reel.findIndex((frame) => frame.keys.includes(key)));
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
      h("p", { role: "status" }, h("strong", null, `${at + 1} of ${reel.length}`), ` ${frame.label}${frame.mark ? " (its target is marked)" : ""}`),
      h("div.viewer-buttons", null,
        h("button", { type: "button", "data-turn": "back", disabled: at === 0, onclick: () => turn(-1) }, "← Before"),
        h("button", { type: "button", "data-turn": "on", disabled: at === reel.length - 1, onclick: () => turn(1) }, "After →"),
        h("button", { type: "button", "data-turn": "close", onclick: () => viewer.close() }, "Close"))),
    h("div.viewer-picture", { tabindex: "0", role: "group", "aria-label": "Picture" }, framed(frame.picture, frame.mark, frame.label)));
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
