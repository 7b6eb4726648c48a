// The household of Tanner Street: four accounts, fixed dates.
const [url, dir] = process.argv.slice(2);
const api = require('@actual-app/api');
const post = async (p, body) => { const r = await fetch(url + p, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }); const t = await r.text(); console.log(p, r.status, t); if (!r.ok) throw new Error(t); };
(async () => {
  await post('account/bootstrap', { password: 'Copper-Kettle-5' });
  await api.init({ dataDir: dir, serverURL: url.replace(/\/$/, ''), password: 'Copper-Kettle-5' });
  await api.runImport('Tanner Street', async () => {
    for (const g of await api.getCategoryGroups()) if (!g.is_income) { for (const c of g.categories || []) await api.deleteCategory(c.id); await api.deleteCategoryGroup(g.id).catch(() => {}); }
    const income = (await api.getCategoryGroups()).find(g => g.is_income);
    const cat = {};
    for (const c of income.categories) cat[c.name] = c.id;
    for (const [g, names] of Object.entries({ Home: ['Rent', 'Electricity', 'Repairs'], Food: ['Groceries', 'Eating out'], 'Getting around': ['Bus pass', 'Bicycle'], Fun: ['Books', 'Cinema'] })) {
      const id = await api.createCategoryGroup({ name: g });
      for (const name of names) cat[name] = await api.createCategory({ name, group_id: id });
    }
    const acc = {};
    for (const [name, off] of [['Main account', false], ['Cash', false], ['Holiday fund', false], ['Car loan', true]]) acc[name] = await api.createAccount({ name, type: 'checking', offbudget: off }, 0);
    const tx = (a, rows) => api.addTransactions(acc[a], rows.map(([date, payee_name, category, amount, notes, cleared]) => ({ date, payee_name, category: category && cat[category], amount: Math.round(amount * 100), notes, cleared: !!cleared })));
    await tx('Main account', [
      ['2026-03-01', 'Opening', 'Starting Balances', 1850.00, '', true],
      ['2026-03-02', 'Brick & Beam Housing', 'Rent', -940.00, 'March', true],
      ['2026-03-04', 'Green Basket', 'Groceries', -62.35, 'weekly shop', true],
      ['2026-03-06', 'City Power', 'Electricity', -58.20, '', true],
      ['2026-03-09', 'Pedal Point', 'Bicycle', -34.90, 'new chain'],
      ['2026-03-11', 'Green Basket', 'Groceries', -48.15, 'weekly shop'],
      ['2026-03-13', 'Lantern Books', 'Books', -21.50, 'birthday of Jo'],
      ['2026-03-14', 'Noodle House', 'Eating out', -27.40, ''],
      ['2026-03-16', 'Oakfield School', 'Income', 2310.00, 'salary', true],
      ['2026-03-18', 'Green Basket', 'Groceries', -71.05, 'weekly shop'],
      ['2026-03-20', 'Transit Office', 'Bus pass', -49.00, ''],
      ['2026-03-21', 'Hammer & Nail', null, -15.80, 'hinges'],
    ]);
    await tx('Cash', [
      ['2026-03-03', 'Opening', 'Starting Balances', 120.00, '', true],
      ['2026-03-07', 'Corner Bakery', 'Groceries', -6.40, 'rye bread'],
      ['2026-03-15', 'Palace Cinema', 'Cinema', -18.00, 'two tickets'],
      ['2026-03-19', 'Corner Bakery', 'Eating out', -4.60, 'coffee'],
    ]);
    await tx('Holiday fund', [['2026-03-01', 'Opening', 'Starting Balances', 640.00, '', true]]);
    await tx('Car loan', [['2026-03-01', 'Opening', null, -3200.00, '', true]]);
  });
  await api.sync().catch(e => console.log('sync', e.message));
  await api.shutdown();
  const r = await fetch(url + 'sync/list-user-files', { headers: { 'x-actual-token': (await (await fetch(url + 'account/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ loginMethod: 'password', password: 'Copper-Kettle-5' }) })).json()).data.token } });
  const t = await r.text(); console.log(t);
  if (!t.includes('Tanner Street')) process.exit(1);
  process.exit(0);
})().catch(e => { console.error(e); process.exit(1); });
