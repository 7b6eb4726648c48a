// Finds (and on first use installs, by package name) playwright-core in the
// kit's state folder, and launches the Chromium found on PATH with it.
import { execFileSync, execSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

export const STATE = process.env.APPLICATIONS_STATE || path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'assay-applications');

export async function playwright() {
  const dir = path.join(STATE, 'kit');
  const entry = path.join(dir, 'node_modules', 'playwright-core', 'index.mjs');
  if (!fs.existsSync(entry)) {
    fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, 'package.json'), '{"private":true}');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'playwright-core'], { cwd: dir, stdio: 'ignore' });
  }
  return import(pathToFileURL(entry).href);
}

export function chromiumPath() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const n of ['chromium', 'chromium-browser', 'google-chrome']) {
    try { return execSync(`command -v ${n}`, { encoding: 'utf8', shell: '/bin/sh' }).trim(); } catch { /* next */ }
  }
  throw new Error('no Chromium on PATH; set CHROMIUM');
}

export async function launch(opts = {}) {
  const { chromium } = await playwright();
  return chromium.launch({ executablePath: chromiumPath(), headless: !process.env.HEADED, args: ['--no-sandbox', '--disable-dev-shm-usage'], ...opts });
}
