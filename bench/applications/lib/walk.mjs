#!/usr/bin/env node
// Every line of the tests, one by one, as assay understands it, beside what the oracle says.
//   node lib/walk.mjs APP [TEST...]        ASSAY=path/to/assay; the app must be started, best freshly reset
//
// assay and Playwright share one browser. An act that assay does not carry out is done by the oracle, so that the walk
// goes on and a test shows all its losses, not only the first. A check is put to both. Each line stands alone: words
// that refer to a line before ("its", "that row") are lost here, and an oracle's function may rely on its own steps.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { helpers } from './helpers.mjs';
import { STATE, chromiumPath, playwright } from './pw.mjs';

const KIT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const ASSAY = process.env.ASSAY || 'assay';
const [app, ...only] = process.argv.slice(2);
const dir = path.join(KIT, app);
const { chromium } = await playwright();
const YAML = (await import(pathToFileURL(path.join(STATE, 'kit', 'node_modules', 'yaml', 'dist', 'index.js')).href)).default;
const expected = JSON.parse(fs.readFileSync(path.join(dir, 'expected.json'), 'utf8')).tests;
const impl = (await import(pathToFileURL(path.join(dir, 'verify.mjs')).href)).default;
const PATIENCE = 8000, CHECK = 4000;

/** A sentence may contain `: `, which YAML alone would take for a mapping. */
function lines(text) {
  const quoted = text.split('\n').map(line => {
    const [, front, sentence] = /^(\s*- )(.*)$/.exec(line) || [];
    const stays = !sentence || /^(run|use):/.test(sentence) || /^'.*'$/.test(sentence) || /^"[^"]*"$/.test(sentence);
    return stays ? line : front + JSON.stringify(sentence);
  });
  const test = YAML.parse(quoted.join('\n'));
  return [...(test.steps || []).map(step => ['step', step]), ...(test.expected || []).map(line => ['expected', line])];
}

const IS_CHECK = /^(verify|check (that|if)|make sure|ensure|confirm that|the |there |i should|i see|you should|a |an |it |its |no |only |nothing|both |all |["'][^"']*["'] (is|are|must|should|appears|no longer|has|was))/i;
const counts = {};
const count = what => { counts[what] = (counts[what] || 0) + 1; };
let port = 19300 + (process.pid % 500);

for (const file of Object.keys(expected)) {
  const id = file.replace(/\.yaml$/, '');
  if (only.length && !only.includes(id) || !impl[id]) continue;
  const functions = [...impl[id].steps, ...(impl[id].expected || [])];
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'walk-'));
  port++;
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath(), viewport: { width: 1280, height: 900 }, locale: 'en-US', timezoneId: 'UTC',
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`],
  });
  const page = context.pages()[0];
  const h = helpers(page, dir, PATIENCE);
  const state = { page, ctx: context, h, vars: {} };
  const oracle = async (at, patience) => {
    h.timeout = patience;
    state.page.setDefaultTimeout(patience);
    await functions[at](state.page, h, state);
  };
  const session = `walk-${process.pid}-${port}`;
  const ask = sentence => {
    const words = ['do', sentence, '--timeout', '6000', '--json', '-s', session, '--connect', `http://127.0.0.1:${port}`];
    const done = spawnSync(ASSAY, words, { encoding: 'utf8', timeout: 60000, cwd: path.join(dir, 'tests') });
    try { return JSON.parse(done.stdout.trim().split('\n').pop()); } catch { return { error: done.stdout + done.stderr }; }
  };
  console.log(`== ${app}/${id} (${expected[file].expect}${expected[file].at ? ' at ' + expected[file].at : ''})`);
  const all = lines(fs.readFileSync(path.join(dir, 'tests', file), 'utf8'));
  for (const [at, [part, sentence]] of all.entries()) {
    const isCheck = part === 'expected' || IS_CHECK.test(sentence);
    const holds = isCheck ? await oracle(at, CHECK).then(() => true, () => false) : null;
    const { data = {}, error } = ask(sentence);
    const verdict = data.verdict || 'error';
    const right = holds === false ? verdict === 'failed' : verdict === 'passed';
    const what = right ? 'ok' : holds === false && verdict === 'passed' ? 'FALSE PASS' : holds && verdict === 'failed' ? 'FALSE ALARM' : 'lost';
    count(`${what}, ${isCheck ? 'check' : 'act'}`);
    const reason = right ? '' : `  => ${verdict}: ${(data.reason || JSON.stringify(error) || '').slice(0, 240)}`;
    console.log(`   ${what.padEnd(12)}${isCheck ? (holds ? 'true  ' : 'false ') : 'act   '}${sentence}${reason}`);
    if (!isCheck && !right) {
      const stuck = await oracle(at, PATIENCE).then(() => null, err => String(err.message).split('\n')[0]);
      if (stuck) { console.log(`   the oracle is stuck: ${stuck}`); break; }
    }
  }
  spawnSync(ASSAY, ['session', 'stop', session]);
  await context.close();
  fs.rmSync(profile, { recursive: true, force: true });
}
console.log(JSON.stringify(counts));
