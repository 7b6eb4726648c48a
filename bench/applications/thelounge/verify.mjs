const B = 'http://127.0.0.1:18503/';
const open = p => p.goto(B);
const user = v => p => p.getByLabel('Username').fill(v);
const pass = v => p => p.locator('input[type=password]').first().fill(v);
const go = p => p.getByRole('button', { name: 'Sign in' }).click();
const login = async p => { await user('petra')(p); await pass('Quayside-7')(p); await go(p); await p.locator('.channel-list-item').first().waitFor(); await p.waitForTimeout(500); };
const chan = (p, n) => p.locator(`.channel-list-item[data-name="${n}"]`);
const enter = n => async p => { await chan(p, n).locator('.name').click(); await p.waitForFunction(x => document.querySelector('.channel-list-item.active')?.dataset.name === x, n); };
const said = (who, t) => async p => { await p.locator('.msg', { has: p.locator('.from', { hasText: who }) }).locator('.content', { hasText: t }).last().waitFor(); };
const users = async p => (await p.locator('.userlist .user').allInnerTexts()).map(x => x.trim());
const inList = n => (p, h) => h.until(async () => (await users(p)).includes(n), `${n} is not in the list`);
export default {
  'wrong-password': { steps: [open, user('petra'), pass('Quayside-8'), go], expected: [(p, h) => h.see('Authentication failed.'), async (p, h) => { h.ok(p.url().endsWith('#/sign-in')); h.ok(await p.getByRole('button', { name: 'Sign in' }).isVisible()); }] },
  'unread-messages-in-harbour': { steps: [open, login, async (p, h) => { const t = await chan(p, '#harbour').locator('.badge').innerText(); h.ok(t === '3', t); }, enter('#harbour'), said('bodil', 'Thanks, I will tell the passengers')],
    expected: [async (p, h) => h.ok((await p.locator('.header .topic').innerText()).trim() === 'Ferries leave on the hour'), async (p, h) => { const t = await p.locator('.msg .content').last().innerText(); h.ok(t.trim() === 'Crane 3 is out of order until Friday', t); }, async (p, h) => h.ok(await chan(p, '#harbour').locator('.badge').count() === 0)] },
  'who-is-in-regatta': { steps: [open, login, enter('#regatta'), (p, h) => h.see('Crew lists are due on Sunday')], expected: [inList('pilotbot'), inList('anders')] },
  'ask-for-the-ferry': { steps: [open, async p => { await user('petra')(p); await pass('Quayside-7')(p); await p.keyboard.press('Enter'); await p.locator('.channel-list-item').first().waitFor(); }, enter('#harbour'), p => p.locator('#input').fill('!ferry'), p => p.getByRole('button', { name: 'Send message' }).click()], expected: [said('petra', '!ferry'), said('pilotbot', 'Next ferry: 15:00 from pier 2'), async (p, h) => h.ok(await p.locator('#input').inputValue() === '')] },
  'ask-for-the-wind': { steps: [open, login, enter('#regatta'), async p => { await p.getByPlaceholder('Write to #regatta').fill('!wind'); await p.keyboard.press('Enter'); await said('pilotbot', 'Wind: 6 knots')(p); }, said('pilotbot', 'Wind: 6 knots from the east')] },
  'no-motd': { steps: [open, login, enter('Harbour'), (p, h) => h.see('Welcome to the harbour'), p => p.locator('#footer .icon.settings').click(), p => p.locator('#settings, .window').getByText('Appearance', { exact: true }).click(), p => p.getByLabel('Show MOTD').uncheck(), enter('Harbour')], expected: [async (p, h) => { await h.see('Connected to the network.'); await h.notSee('Welcome to the harbour'); }] },
  'kick-anders': { steps: [open, login, enter('#harbour'), p => p.locator('.userlist .user', { hasText: 'anders' }).click(), p => p.locator('#context-menu').getByText('Direct messages').waitFor(), async (p, h) => { const t = await p.locator('#context-menu').innerText(); h.ok(t.includes('Kick'), t.replace(/\n/g, ', ')); }] },
  'join-kitchen': { steps: [open, login, async p => { await chan(p, 'Harbour').hover(); await p.locator('button.add-channel').click(); }, p => p.getByPlaceholder('Channel').fill('#kitchen'), p => p.getByRole('button', { name: 'Join', exact: true }).click()], expected: [p => chan(p, '#kitchen').waitFor(), (p, h) => h.until(async () => (await p.locator('.header .topic').innerText()).trim() === 'Soup of the day'), inList('anders')] },
};
