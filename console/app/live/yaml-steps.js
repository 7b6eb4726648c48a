// Puts recorded sentences into the text of a test.

/** One entry of a list of steps. */
export function entry({ text, exact }) {
  return exact ? `run: ${scalar(text)}` : scalar(text);
}

/** A text as YAML reads it back: plain where it may be. */
export function scalar(text) {
  const isPlain = /^[A-Za-z]/.test(text) && !/: |:$| #|[\n\r\t]|\s$/.test(text) && !/^(true|false|null|yes|no|on|off)$/i.test(text);
  return isPlain ? text : `'${text.replaceAll("'", "''")}'`;
}

const SECRETS = 'secrets: [PASSWORD]';

/** What was entered is not in the test: a variable of the environment holds it. */
export function needsSecret(one) {
  return one.text.includes('${PASSWORD}');
}

/** The text of a test that was recorded from its beginning. Claims at its end are its expectations. */
export function recordedText(name, recorded) {
  const said = recorded.filter((one) => one.kind !== 'unsaid');
  const lastAct = said.map((one) => one.kind).lastIndexOf('act');
  const steps = said.slice(0, lastAct + 1);
  const expected = said.slice(lastAct + 1);
  const secrets = said.some(needsSecret) ? [SECRETS] : [];
  const lines = [`test: ${scalar(name)}`, ...secrets, 'steps:', ...steps.map((one) => `  - ${entry(asStep(one))}`)];
  if (expected.length) lines.push('expected:', ...expected.map((one) => `  - ${entry(one)}`));
  return `${lines.join('\n')}\n`;
}

/** A claim among the steps says that it is one. */
export function asStep(one) {
  if (one.kind !== 'claim') return one;
  const text = /^(The|An|A) /.test(one.text) ? one.text[0].toLowerCase() + one.text.slice(1) : one.text;
  return { ...one, text: `Verify that ${text}` };
}

/** The text with a sentence after the line of the step before, or at the end of the steps. */
export function inserted(text, one, afterLine) {
  const lines = text.split('\n');
  const at = afterLine > 0 ? endOfEntry(lines, afterLine - 1) : firstOfSteps(lines);
  const indent = /^\s*/.exec(lines[afterLine > 0 ? afterLine - 1 : at] ?? '')[0] || '  ';
  lines.splice(at, 0, `${indent}- ${entry(asStep(one))}`);
  const line = at + 1 + declared(lines, one, at);
  return { text: lines.join('\n'), line };
}

/** Declares the secret of a sentence in its test. Gives back how many lines came before it. */
function declared(lines, one, at) {
  if (!needsSecret(one)) return 0;
  const begin = lines.slice(0, at).findLastIndex((line) => /^test:/.test(line));
  const end = lines.findIndex((line, index) => index > at && /^---/.test(line));
  const own = lines.slice(Math.max(0, begin), end < 0 ? undefined : end);
  if (own.some((line) => /^(secrets|variables):/.test(line))) return 0;
  lines.splice(begin + 1, 0, SECRETS);
  return 1;
}

function endOfEntry(lines, at) {
  const indent = /^\s*/.exec(lines[at])[0].length;
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && /^\s*/.exec(lines[end])[0].length > indent) end += 1;
  return end;
}

function firstOfSteps(lines) {
  const at = lines.findIndex((line) => /^steps:\s*$/.test(line));
  if (at >= 0) return at + 1;
  const expected = lines.findIndex((line) => /^expected:/.test(line));
  const place = expected >= 0 ? expected : lines.length;
  lines.splice(place, 0, 'steps:');
  return place + 1;
}
