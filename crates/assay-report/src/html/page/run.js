// The run, and which of its tests are looked for.

const run = JSON.parse(byId("run-data").textContent);
const tests = run.tests;
const testById = new Map(tests.map((test) => [test.id, test]));

/** A flaky pass is listed as flaky: it needs a look. */
const shownStatus = (test) => (test.flaky && test.status === "passed" ? "flaky" : test.status);
const isRed = (test) => test.status !== "passed";
const RANK = Object.fromEntries(STATUSES.map(([name], rank) => [name, rank]));

const counts = {};
for (const test of tests) counts[shownStatus(test)] = (counts[shownStatus(test)] || 0) + 1;

/** The attempt that counts. */
const lastAttempt = (test) => test.attempts[test.attempts.length - 1];

function healedSteps(test) {
  const attempt = lastAttempt(test);
  return attempt ? attempt.steps.filter((step) => step.healed.length) : [];
}

function decisiveStep(attempt) {
  return attempt && attempt.decisive !== null ? attempt.steps[attempt.decisive] : undefined;
}

/** What one step, or the end of the attempt, shows; the last picture is the one that tells. */
function lastPicture(attempt) {
  if (!attempt) return undefined;
  if (attempt.page && attempt.page.picture !== null) return attempt.page.picture;
  for (let at = attempt.steps.length - 1; at >= 0; at -= 1) {
    const pictures = attempt.steps[at].pictures;
    if (pictures.length) return pictures[pictures.length - 1];
  }
  return undefined;
}

/** What can be chosen, with how often it occurs. */
function valuesOf(of) {
  const all = new Map();
  for (const test of tests) for (const value of of(test)) all.set(value, (all.get(value) || 0) + 1);
  return [...all].sort((one, two) => String(one[0]).localeCompare(String(two[0])));
}

const fileName = (file) => file.split(/[\\/]/).pop();

const wanted = { text: "", statuses: new Set(), class: "", tag: "", browser: "", file: "", order: "red" };

/** All the words of a test, made once, when they are first looked for. */
const words = new Map();
function wordsOf(test) {
  let all = words.get(test);
  if (all === undefined) {
    const found = [];
    const collect = (value) => {
      if (typeof value === "string") found.push(value);
      else if (value && typeof value === "object") Object.values(value).forEach(collect);
    };
    collect(test);
    if (test.triage) found.push(CLASS_WORDS[test.triage.class]);
    all = found.join("\n").toLowerCase();
    words.set(test, all);
  }
  return all;
}

function isWanted(test) {
  if (wanted.statuses.size && !wanted.statuses.has(shownStatus(test))) return false;
  if (wanted.class && !(test.triage && test.triage.class === wanted.class)) return false;
  if (wanted.tag && !test.tags.includes(wanted.tag)) return false;
  if (wanted.browser && test.browser !== wanted.browser) return false;
  if (wanted.file && test.file !== wanted.file) return false;
  const terms = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  return terms.every((term) => wordsOf(test).includes(term));
}

function wantedTests() {
  const found = tests.filter(isWanted);
  if (wanted.order === "red") return found.sort((one, two) => RANK[shownStatus(one)] - RANK[shownStatus(two)]);
  if (wanted.order === "slow") return found.sort((one, two) => two.duration_ms - one.duration_ms);
  return found;
}
