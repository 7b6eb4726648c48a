// What the oracle's functions get to look with: `h.see`, `h.notSee`, `h.ok`, `h.until`, `h.text`, `h.fixture`.
import path from 'node:path';

export function helpers(page, dir, timeout) {
  const frames = () => page.frames();
  const allText = async () => {
    let s = '';
    for (const f of frames()) {
      try {
        s += '\n' + await f.evaluate(() => {
          const out = [];
          const walk = root => { out.push(root.innerText !== undefined ? root.innerText : [...root.children].map(c => c.innerText || '').join('\n')); (root.querySelectorAll ? root.querySelectorAll('*') : []).forEach(e => { if (e.shadowRoot && e.checkVisibility()) walk(e.shadowRoot); }); };
          walk(document.body); return out.join('\n');
        });
      } catch { /* a frame that went away */ }
    }
    return s;
  };
  const h = {
    timeout,
    text: allText,
    async see(t, ms = h.timeout) {
      const end = Date.now() + ms; let s;
      do { s = await allText(); if (typeof t === 'string' ? s.includes(t) : t.test(s)) return; await page.waitForTimeout(200); } while (Date.now() < end);
      throw new Error(`text not on the page: ${t}`);
    },
    async notSee(t) { await page.waitForTimeout(300); const s = await allText(); if (typeof t === 'string' ? s.includes(t) : t.test(s)) throw new Error(`text is on the page: ${t}`); },
    ok(c, msg) { if (!c) throw new Error(msg || 'does not hold'); },
    async until(fn, msg, ms = h.timeout) { const end = Date.now() + ms; let v; do { v = await fn(); if (v) return v; await page.waitForTimeout(200); } while (Date.now() < end); throw new Error(msg || 'never came true'); },
    fixture: n => path.join(dir, 'tests', 'fixtures', n),
  };
  return h;
}
