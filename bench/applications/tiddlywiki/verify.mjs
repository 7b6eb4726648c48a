const B = 'http://127.0.0.1:18305/';
const open = u => p => p.goto(B + u);
const link = t => p => p.locator('.tc-tiddler-body a', { hasText: t }).first().click();
const note = (p, t) => p.locator('.tc-tiddler-view-frame', { has: p.locator('.tc-title', { hasText: new RegExp('^\\s*' + t + '\\s*$') }) });
const cell = (t, ...v) => async (p, h) => { const c = await note(p, 'Seed order').locator('tr', { hasText: t }).locator('td').allInnerTexts(); h.ok(v.every(([i, x]) => c[i].trim() === x), c); };
const btn = t => p => p.locator(`.tc-story-river button[title="${t}"]`).first().click();
const ed = p => p.locator('.tc-tiddler-edit-frame');
const tag = async (p, t) => { await ed(p).getByPlaceholder('tag name').fill(t); };
const add = p => ed(p).locator('.tc-edit-tags, .tc-edit-add-tag').first().getByRole('button', { name: 'add', exact: true }).click();
const has = t => (p, h) => h.see(t);
const accept = (p, s) => { p.once('dialog', d => { s.vars.m = d.message(); d.accept(); }); };
export default {
  'read-seed-order': { steps: [open(''), link('Seed order'), p => note(p, 'Seed order').waitFor(), cell('Beetroot', [1, '12'], [2, '1.80'])] },
  'write-a-note': { steps: [open(''), p => p.click('button[title="Create a new tiddler"]'), async (p, h) => { h.ok(await ed(p).locator('input.tc-titlebar').inputValue() === 'New Tiddler', 'title is not New Tiddler'); await ed(p).locator('input.tc-titlebar').fill('Compost plan'); }, async p => { await tag(p, 'Autumn'); await add(p); }, p => ed(p).frameLocator('iframe').locator('textarea').fill('Turn the heap twice a month.'), btn('Confirm changes to this tiddler')], expected: [async p => note(p, 'Compost plan').getByText('Turn the heap twice a month.').waitFor(), p => note(p, 'Compost plan').locator('.tc-tag-label', { hasText: 'Autumn' }).waitFor()] },
  'search-for-beetroot': { steps: [open(''), p => p.fill('.tc-search input', 'beetroot'), has('1 matches'), p => p.locator('.tc-search-results a, .tc-search-drop-down a', { hasText: 'Seed order' }).first().click(), p => note(p, 'Seed order').waitFor()] },
  'tag-the-shed-keys': { steps: [open('#Shed%20keys'), btn('Edit this tiddler'), p => tag(p, 'Secret'), add, btn('Confirm changes to this tiddler'), p => p.waitForTimeout(3000), async (p, h, s) => { p.on('dialog', d => { s.vars.bu = d.type(); d.accept(); }); await p.reload(); }], expected: [async (p, h, s) => { await note(p, 'Shed keys').waitFor(); const t = await note(p, 'Shed keys').locator('.tc-tag-label').allInnerTexts(); h.ok(t.map(x => x.trim()).join() === 'Repairs,Secret', t + ' ' + s.vars.bu); }] },
  'delete-frost-diary': { steps: [open('#Frost%20diary'), has('9 April: -1 degrees'), btn('Edit this tiddler'), async (p, h, s) => { accept(p, s); await btn('Delete this tiddler')(p); }, async (p, h, s) => h.ok(s.vars.m === 'Do you wish to delete the tiddler "Frost diary"?', s.vars.m), p => p.click('.tc-sidebar-scrollable button:text("Recent")')], expected: [async (p, h) => { await h.until(async () => (await p.innerText('.tc-sidebar-scrollable')).includes('Shed keys')); h.ok(!(await p.innerText('.tc-sidebar-scrollable')).includes('Frost diary')); }] },
  'close-all-notes': { steps: [open(''), link('Water butt'), (p, h) => h.until(async () => { const t = await p.innerText('.tc-sidebar-tab-open'); return t.includes('Allotment') && t.includes('Water butt'); }), p => p.click('text=close all')], expected: [async (p, h) => { await p.waitForTimeout(600); await h.notSee('The tap drips.'); }, (p, h) => h.notSee('Welcome to the allotment notebook.')] },
  'price-of-chard': { steps: [open(''), link('Seed order'), async (p, h) => { await note(p, 'Seed order').waitFor(); await cell('Chard', [1, '2'])(p, h); }, cell('Chard', [2, '1.80'])] },
  'five-groups-in-rotation': { steps: [open(''), link('Crop rotation'), async (p, h) => h.ok((await note(p, 'Crop rotation').locator('ol li').first().innerText()).trim() === 'Legumes'), async (p, h) => { const n = await note(p, 'Crop rotation').locator('ol li').count(); h.ok(n === 5, n + ' entries'); }] },
  'open-notes-after-reload': { steps: [open(''), link('Water butt'), has('It holds 210 litres'), p => p.reload(), has('It holds 210 litres')] },
  'discarded-change-is-kept': { steps: [open('#Crop%20rotation'), btn('Edit this tiddler'), p => ed(p).locator('input.tc-titlebar').fill('Crop rotation 2025'), async (p, h, s) => { accept(p, s); await btn('Discard changes to this tiddler')(p); await p.waitForTimeout(300); h.ok(s.vars.m, 'no question'); }, p => note(p, 'Crop rotation 2025').waitFor()] },
};
