// Pictures: framed ones with what was aimed at, small ones that open, and the viewer that goes through all of a test.

const viewer = byId("viewer");
let reel = [];
let at = 0;

/**
 * All pictures of an attempt in order: `{ keys, picture, boxes, place, label }`. A page is there twice where it is both
 * what an act led to and what the next one was aimed at: without boxes and with them.
 */
function reelOf(attempt) {
  const frames = [];
  const add = (key, picture, boxes, place, label) => {
    if (picture === null || picture === undefined) return;
    const last = frames[frames.length - 1];
    if (last && last.picture === picture && !boxes.length) last.keys.push(key);
    else frames.push({ keys: [key], picture, boxes, place, label });
  };
  attempt.steps.forEach((step, number) => {
    const what = `${step.place}${step.text ? `: ${step.text}` : ""}`;
    step.commands.forEach((command, order) => {
      add(`${number}.${order}.before`, command.before, aimOn(command, "before"), step.place, `Before ${what}`);
      add(`${number}.${order}.after`, command.after, aimOn(command, "after"), step.place, `After ${what}`);
    });
    const picture = claimPicture(attempt, number);
    if (step.judgements.length) add(`${number}.claims`, picture, evidenceOf(step), step.place, `At ${what}`);
    else for (const own of step.pictures) if (!frames.some((frame) => frame.picture === own)) add(`${number}.${own}`, own, [], step.place, `At ${what}`);
  });
  const decisive = decisiveStep(attempt);
  if (attempt.page) add("end", attempt.page.picture, frames.length && frames[frames.length - 1].picture === attempt.page.picture ? [] : evidenceOf(decisive), "end", "At the end");
  return frames;
}

/** The film: each page once, with boxes where there are some. */
function filmOf(attempt) {
  const frames = [];
  for (const frame of reelOf(attempt)) {
    const last = frames[frames.length - 1];
    if (last && last.picture === frame.picture && !last.boxes.length) frames[frames.length - 1] = frame;
    else frames.push(frame);
  }
  return frames;
}

/** The picture that shows the page as the claims of a step were judged: its own last one, or the last before it. */
function claimPicture(attempt, number) {
  for (let at = number; at >= 0; at -= 1) {
    const { pictures } = attempt.steps[at];
    if (pictures.length) return pictures[pictures.length - 1];
  }
  return undefined;
}

/** What the command was aimed at, if this picture of it shows that: boxes as `{ mark, kind, number }`. */
function aimOn(command, picture) {
  return command.target && (command.target.on || "before") === picture ? [{ mark: command.target, kind: "aim" }] : [];
}

/** What the claims of a step were judged by, numbered as in the lists beside. */
function evidenceOf(step) {
  if (!step) return [];
  const numbers = evidenceNumbers(step);
  return step.marks.map((mark) => ({ mark, kind: step.status, number: step.marks.length > 1 ? numbers.get(mark.ref) : undefined }));
}

function evidenceNumbers(step) {
  return new Map(step.marks.map((mark, index) => [mark.ref, index + 1]));
}

function image(picture, alt) {
  const { src, width, height } = run.pictures[picture];
  const element = h("img", { src, alt, width, height, loading: "lazy", decoding: "async" });
  element.addEventListener("error", () => element.replaceWith(h("span.missing", null, "The picture is not there")), { once: true });
  return element;
}

/** A picture with boxes around what was aimed at or looked at, and a spot where the pointer went. */
function framed(picture, boxes, alt) {
  const { width, height } = run.pictures[picture];
  const frame = h("span.framed", null, image(picture, alt), boxes.map(boxed));
  frame.style.setProperty("--ratio", width && height ? width / height : 1.6);
  return frame;
}

function boxed({ mark, kind, number }) {
  const percent = (length, of) => `${(100 * length) / of}%`;
  // The number stands beside the box, or in it where there is no room beside.
  const side = mark.x + mark.width > 0.94 * mark.view_width ? ".inside" : "";
  const box = h(`span.box.box-${kind}${side}`, { "aria-hidden": "true", "data-number": number });
  box.style.left = percent(mark.x, mark.view_width);
  box.style.top = percent(mark.y, mark.view_height);
  box.style.width = percent(mark.width, mark.view_width);
  box.style.height = percent(mark.height, mark.view_height);
  if (mark.at_x === undefined) return [box];
  const spot = h("span.spot", { "aria-hidden": "true" });
  spot.style.left = percent(mark.at_x, mark.view_width);
  spot.style.top = percent(mark.at_y, mark.view_height);
  return [box, spot];
}

/** A small picture that opens the viewer where `key` says. */
function thumbnail(attempt, key, picture, boxes, caption, alt) {
  return h("figure.thumb", null,
    h("button", { type: "button", "aria-label": `Enlarge: ${alt}${boxes.length ? ", marked" : ""}`, onclick: () => openViewer(attempt, key) }, framed(picture, boxes, "")),
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
      h("p", { role: "status" }, h("strong", null, `${at + 1} of ${reel.length}`), ` ${frame.label}${frame.boxes.length ? ` (${frame.boxes[0].kind === "aim" ? "what it was aimed at" : "what was looked at"} is marked)` : ""}`),
      h("div.viewer-buttons", null,
        h("button", { type: "button", "data-turn": "back", disabled: at === 0, onclick: () => turn(-1) }, "← Before"),
        h("button", { type: "button", "data-turn": "on", disabled: at === reel.length - 1, onclick: () => turn(1) }, "After →"),
        h("button", { type: "button", "data-turn": "close", onclick: () => viewer.close() }, "Close"))),
    h("div.viewer-picture", { tabindex: "0", role: "group", "aria-label": "Picture" }, framed(frame.picture, frame.boxes, frame.label)));
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
