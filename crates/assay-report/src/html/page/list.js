// The list of tests, and what narrows it.

/** As many rows as are drawn at once. */
const ROWS = 150;
let shown = [];
let drawn = 0;

function row(test) {
  const status = shownStatus(test);
  return h("li", null, h("a", { href: address(test), "data-id": test.id },
    mark(status),
    h("span.row-text", null, h("span.row-name", null, test.name || test.id),
      h("span.row-more", null, test.triage && isRed(test) ? CLASS_WORDS[test.triage.class] : fileName(test.file), inBrowser(test), test.no_expectation && " · no expectation")),
    h("span.time", null, test.status === "not-run" ? "" : duration(test.duration_ms))));
}

const valuesOfBrowser = valuesOf((test) => (test.browser ? [test.browser] : []));
/** The browser of a test, where it tells tests apart. */
const inBrowser = (test) => valuesOfBrowser.length > 1 && h("span.in-browser", null, ` · ${test.browser}`);

function drawList() {
  shown = wantedTests();
  drawn = 0;
  byId("list").replaceChildren();
  byId("found").textContent = shown.length === tests.length ? plural(tests.length, "test") : `${shown.length} of ${plural(tests.length, "test")}`;
  drawMore();
  for (const chip of byId("statuses").children) chip.setAttribute("aria-pressed", String(wanted.statuses.has(chip.dataset.status)));
  for (const select of byId("selects").querySelectorAll("select")) select.value = wanted[select.dataset.key];
  if (byId("search").value !== wanted.text) byId("search").value = wanted.text;
}

function drawMore() {
  const next = shown.slice(drawn, drawn + ROWS);
  byId("list").append(...next.map(row));
  drawn += next.length;
  byId("more").hidden = drawn >= shown.length;
  byId("more").textContent = `Show more (${shown.length - drawn} left)`;
  markCurrent();
}

/** Shows only these; all other filters are cleared. */
function only(filter) {
  Object.assign(wanted, { text: "", statuses: new Set(), class: "", tag: "", browser: "", file: "" }, filter);
  drawList();
  byId("found").scrollIntoView({ block: "nearest" });
  const first = byId("list").querySelector("a");
  if (first) first.focus();
}

function chip([name, label]) {
  const toggle = () => {
    if (!wanted.statuses.delete(name)) wanted.statuses.add(name);
    drawList();
  };
  return h(`button.chip.chip-${name}`, { type: "button", "data-status": name, "aria-pressed": "false", onclick: toggle }, label, " ", h("strong", null, counts[name]));
}

function choice(key, label, values, words) {
  if (values.length < 2 && key !== "tag") return null;
  if (!values.length) return null;
  const select = h("select", { "data-key": key, "aria-label": label, onchange: (event) => { wanted[key] = event.target.value; drawList(); } },
    h("option", { value: "" }, `${label}: all`), values.map(([value, count]) => h("option", { value }, `${words ? words(value) : value} (${count})`)));
  return select;
}

function setUpList() {
  byId("statuses").append(...STATUSES.filter(([name]) => counts[name]).map(chip));
  byId("selects").append(...[
    choice("class", "Class", valuesOf((test) => (test.triage ? [test.triage.class] : [])), (name) => CLASS_WORDS[name]),
    choice("tag", "Tag", valuesOf((test) => test.tags)),
    choice("browser", "Browser", valuesOfBrowser),
    choice("file", "File", valuesOf((test) => (test.file ? [test.file] : [])), fileName),
  ].filter(Boolean));
  byId("order").addEventListener("change", (event) => { wanted.order = event.target.value; drawList(); });
  byId("search").addEventListener("input", (event) => { wanted.text = event.target.value; drawList(); });
  byId("more").addEventListener("click", drawMore);
  // Whoever scrolls to the end sees more without asking.
  new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) drawMore(); }, { rootMargin: "400px" }).observe(byId("more"));
  drawList();
}

function markCurrent() {
  const { id } = place();
  for (const link of byId("list").querySelectorAll("a")) {
    if (link.dataset.id === id) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}
