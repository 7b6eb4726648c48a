const B = 'http://127.0.0.1:18602';
const settle = p => p.waitForTimeout(1500);
const open = async p => { await p.goto(B + '/auth'); await p.locator('input[name=password]').waitFor(); await settle(p); };
const fill = (u, w) => async p => { await p.locator('input[name=username]').fill(u); await p.locator('input[name=password]').fill(w); };
const creds = u => async p => { await fill(u, 'Lamp-Post-31')(p); await p.keyboard.press('Enter'); await p.waitForURL(/projects/); await p.locator('tbody a').first().waitFor(); };
const login = u => async p => { await open(p); await creds(u)(p); };
const project = n => async p => { await p.getByRole('link', { name: n }).click(); await p.locator('nav.v-navigation-drawer .v-list-item').first().waitFor(); await settle(p); };
const menu = n => async p => { await p.locator('nav.v-navigation-drawer .v-list-item', { hasText: new RegExp('^\\s*' + n + '\\s*$') }).click(); await settle(p); };
const menuHas = n => async (p, h) => { const g = (await p.locator('nav.v-navigation-drawer .v-list-item').allInnerTexts()).map(x => x.trim()); h.ok(g.includes(n), g.join(', ')); };
const rows = p => p.locator('.v-data-table tbody tr:not(.v-data-table__empty-wrapper)');
const row = (p, t) => rows(p).filter({ hasText: t });
const count = n => (p, h) => h.until(async () => (await rows(p).count()) === n && !/Loading/.test(await p.locator('.v-data-table').innerText()), `not ${n} rows`);
const search = t => async p => { await p.locator('.v-data-table input[type=text]').first().fill(t); await settle(p); };
const cell = (t, v) => async (p, h) => { await row(p, t).waitFor(); const g = (await row(p, t).locator('td').allInnerTexts()).map(x => x.trim()); h.ok(g.includes(v), g.join(' | ')); };
const both = (...f) => async (p, h, s) => { for (const x of f) await x(p, h, s); };
const save = p => p.getByRole('button', { name: 'Save', exact: true });
export default {
  'wrong-password-first': { steps: [open, fill('pavel', 'Lamp-Post-13'), p => p.locator('.v-card').getByRole('button', { name: 'Login' }).click(), p => p.locator('.v-alert', { hasText: 'Incorrect username or password, or something went wrong.' }).waitFor(), async p => { await p.locator('input[name=password]').fill('Lamp-Post-31'); await p.keyboard.press('Enter'); }],
    expected: [async p => { await p.waitForURL(/projects/); await p.locator('tbody a').first().waitFor(); }, both(p => row(p, 'Citizen letters').waitFor(), p => row(p, 'Place names').waitFor()), (p, h) => h.notSee('Short answers')] },
  'new-label': { steps: [login('nadia'), project('Citizen letters'), menu('Labels'), async p => { await p.getByRole('button', { name: 'Actions' }).click(); await p.getByText('Create Label', { exact: true }).click(); await save(p).waitFor(); }, async (p, h) => h.ok(await save(p).isDisabled()), async p => { await p.getByLabel('Label name').fill('Traffic'); await p.getByLabel('Key').click(); await p.locator('.v-menu__content .v-list-item', { hasText: /^\s*4\s*$/ }).click(); }, async p => { await save(p).click(); await settle(p); }], expected: [cell('Traffic', '4'), count(6)] },
  'letters-about-containers': { steps: [login('nadia'), project('Citizen letters'), menu('Dataset'), search('container'), count(2)], expected: [cell('Please empty the paper container behind the library more often.', 'Finished'), cell('The container for old clothes is full of rubbish.', 'In progress')] },
  'bench-goes-to-parks': { steps: [login('nadia'), both(project('Citizen letters'), menu('Dataset')), p => row(p, 'The bench by the pond is broken.').getByText('Annotate', { exact: true }).click(), async p => { await p.locator('main .v-chip', { hasText: 'Parks' }).first().click(); await settle(p); }, both(menu('Dataset'), search('label:Parks'))],
    expected: [p => row(p, 'The bench by the pond is broken.').waitFor(), p => row(p, 'Could you plant more trees around the playground?').waitFor(), (p, h) => h.notSee('dog tax')] },
  'new-description': { steps: [login('nadia'), both(project('Place names'), menu('Settings')), p => p.locator('main').getByRole('button', { name: 'Edit', exact: true }).click(), p => p.getByLabel('Description').fill('Streets, squares and bridges'), async p => { await save(p).click(); await settle(p); await p.reload(); await settle(p); }, (p, h) => h.until(async () => (await p.getByLabel('Description').inputValue()) === 'Streets, squares and bridges'), async p => { await p.locator('header').getByRole('button', { name: /^\s*projects\s*$/i }).click(); await settle(p); }], expected: [cell('Place names', 'Streets, squares and bridges')] },
  'annotator-and-members': { steps: [open, creds('pavel'), project('Citizen letters'), menuHas('Dataset')], expected: [menuHas('Members')] },
  'comment-of-irena': { steps: [login('nadia'), both(project('Citizen letters'), menu('Comments')), cell('Roads or Parks? The lamp stands in the park.', 'pavel'), cell('The tax office has answered already.', 'irena')], expected: [cell('The tax office has answered already.', '1')] },
  'find-a-member': { steps: [login('nadia'), project('Citizen letters'), menu('Members'), search('pavel'), count(1), async p => { await p.reload(); await settle(p); await rows(p).first().waitFor(); await settle(p); }], expected: [count(1)] },
};
