// Elements, and how things are called. Text always goes in as text, never as markup.

const byId = (id) => document.getElementById(id);

/** An element: `h("p.note", { title: "x" }, "text", child)`. */
function h(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

const STATUSES = [
  ["failed", "failed", "✕"],
  ["error", "error", "!"],
  ["inconclusive", "inconclusive", "?"],
  ["not-run", "not run", "–"],
  ["flaky", "flaky", "≈"],
  ["passed", "passed", "✓"],
];
const STATUS_WORDS = Object.fromEntries(STATUSES.map(([name, words]) => [name, words]));
const STATUS_MARKS = Object.fromEntries(STATUSES.map(([name, , mark]) => [name, mark]));

const CLASSES = [
  ["product-defect", "Product defect", "The application does not behave as the test expects."],
  ["changed-page", "Changed page", "The page has changed since the test was written."],
  ["test-defect", "Test defect", "The test is ambiguous, or makes a claim that cannot be checked."],
  ["environment", "Environment", "Something around the application broke; the result says nothing about the application itself."],
  ["external-block", "External block", "The test was kept out: by a check for humans, a limit or a policy."],
  ["flaky", "Flaky", "The test had different results within one run."],
];
const CLASS_WORDS = Object.fromEntries(CLASSES.map(([name, words]) => [name, words]));

/** The mark of a status, with its word for those who do not see it. */
function mark(status) {
  return h(`span.mark-${status}.statusmark`, { title: STATUS_WORDS[status] },
    h("span", { "aria-hidden": "true" }, STATUS_MARKS[status]), h("span.hidden", null, `${STATUS_WORDS[status]}: `));
}

/** Text in which what stands between backticks is code. */
function ticked(text) {
  const parts = text.split("`");
  // Without a partner a backtick is just a backtick.
  if (parts.length % 2 === 0) return [text];
  return parts.map((part, index) => (index % 2 ? h("code", null, part) : part));
}

function classBadge(triage) {
  if (!triage || triage.class === "flaky") return null;
  return h(`span.badge.class-${triage.class}`, null, triage.sure ? CLASS_WORDS[triage.class] : `Probably ${CLASS_WORDS[triage.class].toLowerCase()}`);
}

function duration(milliseconds) {
  if (milliseconds < 1000) return `${milliseconds} ms`;
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

function plural(count, one, many) {
  return `${count} ${count === 1 ? one : many || `${one}s`}`;
}

/** A moment in the reader's own time. */
function moment(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
}

/** Two texts with what differs in them marked, in whole words: nobody reads "8" and "9.0" as a price. */
function differing(expected, found) {
  const wordsOf = (text) => text.match(/\s+|[^\s]+/g) || [];
  const [one, two] = [wordsOf(expected), wordsOf(found)];
  let start = 0;
  while (start < one.length && start < two.length && one[start] === two[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < two.length - start && one[one.length - 1 - end] === two[two.length - 1 - end]) end += 1;
  // Where hardly anything is shared, marks would only hide the words.
  const shared = start + end >= Math.min(one.length, two.length) / 3 && start + end > 0;
  const parts = (words) => {
    if (!shared) return [words.join("")];
    const middle = words.slice(start, words.length - end).join("");
    return [words.slice(0, start).join(""), middle && h("mark", null, middle), words.slice(words.length - end).join("")];
  };
  return [parts(one), parts(two)];
}
