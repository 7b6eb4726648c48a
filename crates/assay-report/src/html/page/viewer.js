// Pictures: framed ones with what was aimed at, and the viewer that goes through a list of them.

const viewer = byId("viewer");
let reel = [];
let at = 0;

function image(picture, alt) {
  const { src, width, height } = run.pictures[picture];
  // What is in the page already need not be waited for, not even by a printer.
  const [loading, decoding] = src.startsWith("data:") ? ["eager", "auto"] : ["lazy", "async"];
  const element = h("img", { src, alt, width, height, loading, decoding });
  element.addEventListener("error", () => element.replaceWith(h("span.missing", null, "The screenshot is missing")), { once: true });
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

/** Opens the viewer on a list of pictures, at the one with this key. */
function openReel(frames, key) {
  reel = frames;
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
      h("p", { role: "status" }, h("strong", null, `${at + 1} of ${reel.length}`), ` ${frame.label}${frame.boxes.length ? ` (${frame.boxes[0].kind === "aim" ? "target" : "checked elements"} marked)` : ""}`),
      h("div.viewer-buttons", null,
        h("button", { type: "button", "data-turn": "back", disabled: at === 0, onclick: () => turn(-1) }, "← Previous"),
        h("button", { type: "button", "data-turn": "on", disabled: at === reel.length - 1, onclick: () => turn(1) }, "Next →"),
        h("button", { type: "button", "data-turn": "close", onclick: () => viewer.close() }, "Close"))),
    h("div.viewer-picture", { tabindex: "0", role: "group", "aria-label": "Screenshot" }, framed(frame.picture, frame.boxes, frame.label)));
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
