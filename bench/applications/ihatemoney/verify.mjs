const B = 'http://127.0.0.1:18501/';
const open = u => p => p.goto(u);
const both = (...f) => async (p, h, s) => { for (const x of f) await x(p, h, s); };
const code = v => p => p.getByLabel('Private code').fill(v);
const submit = p => p.getByRole('button', { name: 'submit' }).click();
const bills = p => p.locator('#bill_table tbody tr');
const bill = (p, t) => bills(p).filter({ has: p.locator('td:nth-child(3)', { hasText: new RegExp('^\\s*' + t + '\\s*$') }) });
const login = both(code('canoe-2024'), submit, p => p.locator('#bill_table').waitFor());
const person = (p, t) => p.locator('#sidebar table tr', { has: p.locator('td.balance-name', { hasText: t }) });
const balance = (t, v) => async (p, h) => { const g = (await person(p, t).locator('.balance-value').innerText()).trim(); h.ok(g === v, `${t}: ${g}`); };
const filters = async p => { await p.getByText('Show filters').click(); await p.getByText('Hide filters').waitFor(); };
const run = async p => { await p.getByRole('button', { name: 'Filter', exact: true }).click(); await p.waitForURL(/amount_min/); };
const count = n => async (p, h) => { const g = await bills(p).count(); h.ok(g === n, `${g} bills`); };
const amount = (t, v) => async (p, h) => { const g = (await bill(p, t).locator('td').nth(4).innerText()).replace(/\s+/g, ' ').trim(); h.ok(g === v, `${t}: ${g}`); };
export default {
  'wrong-code-then-right-code': { steps: [open(B + 'lakehouse'), code('paddle-2024'), submit, (p, h) => h.see('This private code is not the right one'), both(code('canoe-2024'), p => p.keyboard.press('Enter'))],
    expected: [p => p.locator('#new-bill a', { hasText: 'Add a new bill' }).waitFor(), async (p, h) => h.ok((await p.title()).endsWith('Lake House Weekend'))] },
  'who-has-to-pay-whom': { steps: [open(B), p => p.locator('#authentication-form').getByLabel('Project identifier').fill('lakehouse'), p => p.locator('#authentication-form').getByLabel('Private code').fill('canoe-2024'), p => p.getByRole('button', { name: 'Log in', exact: true }).click(), p => p.locator('nav').getByRole('link', { name: 'Settle' }).click()],
    expected: [async (p, h) => { await h.see('Who pays?'); const g = await p.locator('main table tbody tr').count(); h.ok(g === 3, `${g} rows`); }, async (p, h) => { const t = (await p.locator('main table tbody tr', { hasText: 'Casper' }).innerText()).replace(/\s+/g, ' '); h.ok(t.startsWith('Casper Felix 76.30'), t); }, balance('Felix', '+232.00')] },
  'filter-bills-by-payer': { steps: [open(B + 'lakehouse'), login, filters, p => p.locator('#filterCollapse #payer').selectOption({ label: 'Ruth' }), run], expected: [count(3), async p => { for (const t of ['Cleaning', 'Ice cream', 'Groceries at the farm shop']) await bill(p, t).waitFor(); }, async (p, h) => h.ok(await bill(p, 'Canoe hire').count() === 0)] },
  'bills-of-at-least-60': { steps: [open(B + 'lakehouse'), login, filters, p => p.getByPlaceholder('Min cost').fill('60'), run, p => bill(p, 'Rent of the house').waitFor(), count(5)] },
  'delete-ice-cream': { steps: [open(B + 'lakehouse'), login, p => bill(p, 'Ice cream').waitFor(), p => bill(p, 'Ice cream').locator('button.delete').click()], expected: [async (p, h) => { await p.waitForTimeout(1000); h.ok(await bill(p, 'Ice cream').count() === 0, 'it is there, and ' + await bill(p, 'Ice cream').locator('td').last().innerText()); }] },
  'edit-parking': { steps: [open(B + 'lakehouse'), login, p => bill(p, 'Parking').locator('a.edit').click(), p => p.getByLabel('How much?').fill('14.40'), p => p.locator('input#submit.btn-primary').click(), (p, h) => h.see('The bill has been modified')], expected: [amount('Parking', '14.40 (7.40 each)')] },
  'add-sauna-bill': { steps: [open(B + 'lakehouse'), login, async p => { await p.getByText('Add a new bill').click(); await p.locator('#bill-form').getByText('Add a bill').waitFor(); await p.waitForTimeout(500); }, p => p.getByLabel('What?', { exact: true }).fill('Sauna'), p => p.getByLabel('Who paid?').selectOption({ label: 'Noor' }), p => p.getByLabel('How much?').fill('45'), p => p.locator('#bill-form').getByLabel('Felix').uncheck(), async p => { await p.locator('#bill-form #submit').click(); await bill(p, 'Sauna').waitFor(); }], expected: [amount('Sauna', '45.00 (15.00 each)')] },
  'add-imke': { steps: [open(B + 'lakehouse'), login, async p => { await p.getByPlaceholder('Add participant').fill('Imke'); await p.getByRole('button', { name: 'Add', exact: true }).click(); }, (p, h) => h.see('Imke has been added')], expected: [balance('Imke', '0.00'), async (p, h) => { const g = await p.locator('#sidebar td.balance-name').count(); h.ok(g === 5, `${g}`); }] },
};
