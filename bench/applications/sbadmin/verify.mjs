const B = 'http://127.0.0.1:18304/';
const open = u => p => p.goto(B + u);
const search = t => p => p.fill('#dataTable_filter input', t);
const len = n => p => p.selectOption('select[name=dataTable_length]', n);
const info = t => (p, h) => h.until(async () => (await p.innerText('#dataTable_info')) === t, 'info is otherwise');
const rows = n => async (p, h) => { const g = await p.locator('#dataTable tbody tr').count(); h.ok(g === n, `${g} rows`); };
const cells = l => l.locator('td').allInnerTexts();
const first = p => cells(p.locator('#dataTable tbody tr').first());
const row = (p, n) => p.locator('#dataTable tbody tr', { hasText: n });
const age = p => p.click('#dataTable thead th:has-text("Age")');
export default {
  'search-london': { steps: [open('tables.html'), search('London')], expected: [info('Showing 1 to 10 of 12 entries (filtered from 57 total entries)'), async (p, h) => { for (const r of await p.locator('#dataTable tbody tr').all()) h.ok((await cells(r))[2] === 'London'); }] },
  'youngest-employee-first': { steps: [open('tables.html'), age, async (p, h) => { const c = await first(p); h.ok(c[0] === 'Tatyana Fitzpatrick' && c[3] === '19', c); }, age, async (p, h) => { const c = await first(p); h.ok(c[0] === 'Ashton Cox', c); }] },
  'show-25-entries': { steps: [open('tables.html'), len('25'), rows(25), p => p.click('#dataTable_paginate a:text-is("3")'), info('Showing 51 to 57 of 57 entries')] },
  'stay-logged-in': { steps: [open(''), p => p.click('#userDropdown'), p => p.locator('.dropdown-menu').getByText('Logout').click(), p => p.locator('.modal-title', { hasText: 'Ready to Leave?' }).waitFor(), async p => { await p.waitForTimeout(400); await p.locator('#logoutModal').getByText('Cancel').click(); }, p => p.locator('#logoutModal').waitFor({ state: 'hidden' })], expected: [p => p.locator('h1', { hasText: 'Dashboard' }).waitFor()] },
  'cards-from-sidebar': { steps: [open(''), p => p.click('#accordionSidebar >> text=Components'), async p => { await p.waitForTimeout(500); await p.click('#collapseTwo >> text=Cards'); }, p => p.locator('h1', { hasText: /^\s*Cards\s*$/ }).waitFor(), async (p, h) => h.ok(p.url().endsWith('cards.html')), async (p, h) => { const t = await p.locator('.card', { hasText: 'Pending Requests' }).innerText(); h.ok(/PENDING REQUESTS\s+18$/.test(t.trim()), t); }] },
  'latest-alerts': { steps: [open(''), p => p.click('#alertsDropdown'), (p, h) => h.see('ALERTS CENTER'), async (p, h) => { const t = await p.locator('a.dropdown-item', { hasText: 'December 7, 2019' }).innerText(); h.ok(t.includes('$290.29 has been deposited into your account!'), t); }] },
  'airi-salary': { steps: [open('tables.html'), len('50'), async (p, h) => { const c = await cells(row(p, 'Airi Satou')); h.ok(c[1] === 'Accountant'); }, async (p, h) => { const c = await cells(row(p, 'Airi Satou')); h.ok(c[5] === '$86,000', c[5]); }] },
  'edinburgh-headcount': { steps: [open('tables.html'), search('Edinburgh'), p => row(p, 'Cedric Kelly').waitFor(), rows(10)] },
  'billing-in-user-menu': { steps: [open(''), p => p.click('#userDropdown'), async (p, h) => { await h.see('Profile'); await h.see('Settings'); }, p => p.locator('.dropdown-menu.show').getByText('Billing').click(), async (p, h) => h.ok(false)] },
  'page-length-is-remembered': { steps: [open('tables.html'), len('50'), info('Showing 1 to 50 of 57 entries'), p => p.reload()], expected: [info('Showing 1 to 50 of 57 entries')] },
};
