// Which page is shown, and the keys.

/** The address of a test within this page. */
function address(test, attempt) {
  return `#/test/${encodeURIComponent(test.id)}${attempt ? `/${attempt}` : ""}`;
}

function place() {
  const [, kind, id, attempt] = location.hash.split("/");
  if (kind !== "test" || id === undefined) return {};
  try {
    return { id: decodeURIComponent(id), attempt };
  } catch {
    return {};
  }
}

function draw() {
  const { id, attempt } = place();
  const test = id === undefined ? undefined : testById.get(id);
  const content = test ? testPage(test, attempt) : overview();
  byId("main").replaceChildren(...content.flat(Infinity).filter(Boolean));
  document.body.classList.toggle("on-test", Boolean(test));
  markCurrent();
  return test;
}

function arrived() {
  // Pictures of the test that was left would lie over the one that is shown.
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  const test = draw();
  window.scrollTo(0, 0);
  byId("main").scrollTop = 0;
  if (test) byId("main").focus({ preventScroll: true });
  const link = byId("list").querySelector("[aria-current]");
  if (link && getComputedStyle(document.querySelector("nav.tests")).position === "sticky") link.scrollIntoView({ block: "nearest" });
}

/** To the next test of the list that fits. */
function step(by, fits) {
  const { id } = place();
  let index = shown.findIndex((test) => test.id === id);
  if (index < 0) index = by > 0 ? -1 : shown.length;
  for (index += by; index >= 0 && index < shown.length; index += by) {
    if (fits(shown[index])) {
      while (drawn <= index) drawMore();
      location.hash = address(shown[index]);
      return;
    }
  }
}

const KEYS = [
  ["/", "Search", () => byId("search").focus()],
  ["j", "Next test", () => step(1, () => true)],
  ["k", "Previous test", () => step(-1, () => true)],
  ["n", "Next red test", () => step(1, isRed)],
  ["p", "Previous red test", () => step(-1, isRed)],
  ["o", "Overview", () => { location.hash = ""; }],
  ["?", "Keyboard shortcuts", () => openKeys()],
];

function openKeys() {
  byId("keys").replaceChildren(h("h2", null, "Keyboard shortcuts"),
    h("dl", null, KEYS.map(([key, label]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, label))),
      h("div", null, h("dt", null, h("kbd", null, "Esc")), h("dd", null, "Close, or return to the overview")),
      h("div", null, h("dt", null, h("kbd", null, "←"), " ", h("kbd", null, "→")), h("dd", null, "Previous and next screenshot, in the viewer"))),
    h("button", { type: "button", onclick: () => byId("keys").close() }, "Close"));
  byId("keys").showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const typing = event.target.closest("input, select, textarea");
  if (event.key === "Escape") {
    if (typing && typing === byId("search") && wanted.text) {
      // Browsers empty the field without a word to the page.
      wanted.text = "";
      drawList();
    } else if (typing) typing.blur();
    else if (location.hash.length > 1) location.hash = "";
    return;
  }
  const key = !typing && KEYS.find(([name]) => name === event.key);
  if (key) {
    event.preventDefault();
    key[2]();
  }
});

byId("help").addEventListener("click", openKeys);
byId("suite").textContent = run.suite || "assay";
byId("when").textContent = [run.started && moment(run.started), run.duration_ms !== null && duration(run.duration_ms), run.workers > 1 && plural(run.workers, "worker"), run.run].filter(Boolean).join(" · ");
window.addEventListener("hashchange", arrived);
setUpList();
draw();
