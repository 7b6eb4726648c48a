#!/usr/bin/env node
// Checks the kit itself, by hand-written Playwright scripts instead of a tool.
//   node lib/verify.mjs APP [TEST...]      (the app must be started, best freshly reset)
//
// APP/verify.mjs exports, per test file name without .yaml:
//   { steps: [fn, fn ...], expected: [fn ...] }
// with exactly one function per step and per expected line of the YAML file.
// A function acts or asserts as that line says and throws where the line does
// not hold.  The outcome and the line it stopped at must be what APP/expected.json
// says; "fail" tests must stop exactly there, so a wrong selector of ours cannot
// pass for an app that behaves otherwise.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { helpers } from './helpers.mjs';
import { STATE, launch } from './pw.mjs';

const KIT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const AS_TOOL = !!process.env.VERIFY_AS_TOOL;
const [app, ...only] = process.argv.slice(2);
const dir = path.join(KIT, app);
const yamlEntry = path.join(STATE, 'kit', 'node_modules', 'yaml', 'dist', 'index.js');
if (!fs.existsSync(yamlEntry)) {
  fs.mkdirSync(path.join(STATE, 'kit'), { recursive: true });
  execFileSync('npm', ['install', '--no-audit', '--no-fund', 'yaml', 'playwright-core'], { cwd: path.join(STATE, 'kit'), stdio: 'ignore' });
}
const YAML = (await import(pathToFileURL(yamlEntry).href)).default;
const expected = JSON.parse(fs.readFileSync(path.join(dir, 'expected.json'), 'utf8')).tests;
const impl = (await import(pathToFileURL(path.join(dir, 'verify.mjs')).href)).default;

const T = +(process.env.VERIFY_TIMEOUT || 15000);
const FAIL_T = +(process.env.VERIFY_FAIL_TIMEOUT || 5000);

let bad = 0, n = 0;
const files = fs.readdirSync(path.join(dir, 'tests')).filter(f => f.endsWith('.yaml')).sort();
if (!AS_TOOL) for (const f of files) if (!expected[f]) { console.log(`MISSING in expected.json: ${f}`); bad++; }
for (const f of Object.keys(expected)) if (!files.includes(f)) { console.log(`no such test file: ${f}`); bad++; }
const browser = await launch();
// in the order of expected.json, as ./score does
files.sort((a, b) => Object.keys(expected).indexOf(a) - Object.keys(expected).indexOf(b));
for (const f of files) {
  const id = f.replace(/\.yaml$/, '');
  if (only.length && !only.includes(id)) continue;
  n++;
  const doc = YAML.parse(fs.readFileSync(path.join(dir, 'tests', f), 'utf8'));
  const e = expected[f] || {};
  const v = impl[id];
  if (!v) { console.log(`NO SCRIPT ${id}`); bad++; continue; }
  const lines = [...(doc.steps || []).map((s, i) => [`step ${i + 1}`, s]), ...(doc.expected || []).map((s, i) => [`expected ${i + 1}`, s])];
  const fns = [...v.steps, ...(v.expected || [])];
  if ((doc.steps || []).length !== v.steps.length || (doc.expected || []).length !== (v.expected || []).length) {
    console.log(`BAD ${id}: ${doc.steps?.length}+${doc.expected?.length || 0} lines but ${v.steps.length}+${(v.expected || []).length} functions`); bad++; continue;
  }
  const ctx = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US', timezoneId: 'UTC' });
  const page = await ctx.newPage();
  page.setDefaultTimeout(T);
  const h = helpers(page, dir, T);
  const s = { page, ctx, h, vars: {} };
  let at = null, why = '';
  const t0 = Date.now();
  for (let i = 0; i < fns.length; i++) {
    h.timeout = (e.expect === 'fail' && e.at === lines[i][0]) ? FAIL_T : T;
    s.page.setDefaultTimeout(h.timeout);
    try { await fns[i](s.page, h, s); } catch (err) { at = lines[i][0]; why = String(err.message).split('\n')[0]; break; }
  }
  const got = at ? 'fail' : 'pass';
  if (AS_TOOL) { console.log(JSON.stringify({ suite: app, tests: [{ name: id, status: got, failed_at: at }] })); await browser.close(); process.exit(at ? 1 : 0); }
  const good = got === e.expect && (got === "pass" || at === e.at || (e.or_at || []).includes(at));
  if (!good) {
    bad++;
    const shot = path.join(STATE, 'kit', `${app}-${id}.png`);
    try { await s.page.screenshot({ path: shot, timeout: 8000 }); console.log(`   picture: ${shot}`); } catch { /* no page */ }
  }
  console.log(`${good ? 'ok  ' : 'BAD '} ${app}/${id}: ${got}${at ? ' at ' + at : ''} (expected ${e.expect}${e.at ? ' at ' + e.at : ''}) ${((Date.now() - t0) / 1000).toFixed(1)}s${at ? ' — ' + why : ''}`);
  await ctx.close();
}
await browser.close();
console.log(`${n - bad < 0 ? 0 : n - bad} passed, ${bad} failed`);
process.exit(bad ? 1 : 0);
