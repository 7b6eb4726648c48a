const B = 'http://127.0.0.1:18504/';
const open = async p => { await p.goto(B); await p.locator('.red-ui-flow-node').first().waitFor(); await p.locator('#red-ui-loading-progress').waitFor({ state: 'hidden' }); await p.waitForTimeout(1000); };
const re = t => new RegExp('^' + t.replace('?', '\\?') + '$');
const node = (p, t) => p.locator('g.red-ui-flow-node', { has: p.locator('text', { hasText: re(t) }) });
const label = (p, t) => p.locator('#red-ui-workspace-chart text', { hasText: new RegExp('^' + t.replace('?', '\\?') + '$') });
const palette = (p, t) => p.locator('#red-ui-palette .red-ui-palette-node', { hasText: new RegExp('^' + t.replace(' ', '\\s+') + '$') }).filter({ visible: true });
const edit = t => async p => { await node(p, t).dblclick(); await p.locator('.red-ui-tray').waitFor(); await p.waitForTimeout(700); };
const tray = p => p.locator('.red-ui-tray');
const done = async p => { await p.locator('#node-dialog-ok').click(); await tray(p).waitFor({ state: 'detached' }); };
const deploy = p => p.locator('#red-ui-header-button-deploy');
const off = async p => (await deploy(p).getAttribute('class')).includes('disabled');
const menu = p => p.locator('#red-ui-header-button-sidemenu-submenu');
const offers = t => async (p, h) => { await h.until(async () => (await menu(p).innerText()).split('\n').map(x => x.trim()).includes(t), `no ${t}`); };
export default {
  'morning-watering': { steps: [open, p => p.locator('a.red-ui-tab-link-button[href="#debug"], .red-ui-tab-link-button:has(.fa-bug)').first().click(), p => node(p, 'Every morning').locator('.red-ui-flow-node-button-button').click(), (p, h) => h.see('Successfully injected: Every morning')],
    expected: [p => p.locator('.red-ui-debug-msg', { hasText: 'open the valve' }).waitFor(), p => p.locator('.red-ui-debug-msg', { hasText: 'node: Watering log' }).waitFor()] },
  'filter-the-palette': { steps: [open, p => palette(p, 'template').waitFor(), p => p.getByPlaceholder('filter nodes').pressSequentially('mqtt')], expected: [p => palette(p, 'mqtt in').waitFor(), p => palette(p, 'mqtt out').waitFor(), (p, h) => h.until(async () => await palette(p, 'template').count() === 0)] },
  'alarms-flow': { steps: [open, p => label(p, 'Every morning').waitFor(), p => p.locator('#red-ui-workspace-tabs').getByText('Alarms', { exact: true }).click()], expected: [p => label(p, 'Below 5 degrees?').waitFor(), p => p.locator('#red-ui-sidebar').getByText('Tells somebody when it gets cold.').waitFor(), async (p, h) => h.ok(await p.title() === 'Greenhouse flows : Alarms', await p.title())] },
  'repeat-of-every-morning': { steps: [open, edit('Every morning'), async (p, h) => h.ok((await tray(p).innerText()).includes('Edit inject node')), async (p, h) => h.ok(await p.locator('#node-input-name').inputValue() === 'Every morning'), async (p, h) => { const t = await p.locator('#inject-time-type-select option:checked').innerText(); h.ok(t.trim() === 'interval', t); }, p => p.locator('#node-dialog-cancel').click()] },
  'cancel-renaming-a-flow': { steps: [open, async p => { await p.locator('#red-ui-workspace-tabs').getByText('Alarms', { exact: true }).dblclick(); await p.waitForTimeout(800); }, async (p, h) => h.ok((await tray(p).innerText()).includes('Edit flow: Alarms')), p => p.locator('#node-input-name').fill('Warnings'), async p => { await tray(p).getByRole('button', { name: 'Cancel' }).click(); await tray(p).waitFor({ state: 'detached' }); }], expected: [async (p, h) => { const t = (await p.locator('#red-ui-workspace-tabs li').nth(1).innerText()).trim(); h.ok(t === 'Warnings', t); }] },
  'main-menu': { steps: [open, async p => { await p.locator('#red-ui-header-button-sidemenu').click(); await menu(p).waitFor(); }, async (p, h) => { await offers('Import')(p, h); await offers('Export')(p, h); }, offers('Search flows'), offers('Manage palette')] },
  'rename-change-node': { steps: [open, async (p, h) => h.ok(await off(p)), edit('Add the litres'), p => p.locator('#node-input-name').fill('Add 15 litres'), done], expected: [p => label(p, 'Add 15 litres').waitFor(), async (p, h) => h.ok(!await off(p))] },
  'deploy-fixed-valve': { steps: [open, edit('Valve 4 is broken'), p => p.locator('#node-input-name').fill('Valve 4 is fixed'), done, p => deploy(p).click(), (p, h) => h.see('Successfully deployed'), async p => { await p.reload(); await p.locator('.red-ui-flow-node').first().waitFor(); }], expected: [p => label(p, 'Valve 4 is fixed').waitFor(), async (p, h) => { await p.waitForTimeout(1500); await h.notSee('Valve 4 is broken'); h.ok(await label(p, 'Valve 4 is broken').count() === 0); }] },
};
