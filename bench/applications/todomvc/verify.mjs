const B = 'http://127.0.0.1:18303/';
const open = u => p => p.goto(B + u);
const inp = p => p.locator('#new-todo, .new-todo');
const add = t => async p => { await inp(p).fill(t); await inp(p).press('Enter'); await p.waitForTimeout(150); };
const items = p => p.locator('#todo-list > li, .todo-list > li');
const item = (p, t) => items(p).filter({ hasText: new RegExp('^\\s*' + t + '\\s*$') });
const texts = async p => (await items(p).locator('label').allInnerTexts()).map(x => x.trim());
const tick = t => p => item(p, t).locator('.toggle').click();
const list = (...w) => (p, h) => h.until(async () => JSON.stringify(await texts(p)) === JSON.stringify(w), 'list is otherwise');
const footer = t => (p, h) => h.until(async () => (await p.locator('#footer, .footer').first().innerText()).replace(/\s+/g, ' ').includes(t), 'footer is otherwise');
const shown = (t, v) => (p, h) => h.until(async () => { const l = item(p, t); const n = await l.count(); return v ? n && await l.first().isVisible() : !n || !(await l.first().isVisible()); }, `${t} ${v ? 'not ' : ''}shown`);
const checked = (t, v) => async (p, h) => { h.ok(await item(p, t).locator('.toggle').isChecked() === v); };
export default {
  'three-new-items': { steps: [open('examples/vue/'), add('Sharpen the saw'), add('Oil the hinges'), add('Sweep the porch')], expected: [list('Sharpen the saw', 'Oil the hinges', 'Sweep the porch'), footer('3 items left'), async (p, h) => h.ok(await inp(p).inputValue() === '')] },
  'active-filter': { steps: [open('examples/backbone/'), add('Book the ferry'), add('Renew passport'), tick('Book the ferry'), p => p.click('#footer >> text=Active'), shown('Renew passport', true), shown('Book the ferry', false), footer('1 item left')] },
  'tasks-survive-reload': { steps: [open('examples/vue/'), add('Feed the geese'), add('Mend the fence'), tick('Feed the geese'), p => p.reload()], expected: [list('Feed the geese', 'Mend the fence'), checked('Feed the geese', true), checked('Mend the fence', false)] },
  'rename-a-task': { steps: [open('examples/backbone/'), add('Call the plumer'), p => item(p, 'Call the plumer').locator('label').dblclick(), async p => { const e = p.locator('li.editing .edit'); await e.fill('Call the plumber'); await e.press('Enter'); }, shown('Call the plumber', true), shown('Call the plumer', false)] },
  'clear-completed': { steps: [open(''), add('Iron shirts'), add('Polish shoes'), tick('Polish shoes'), p => p.click('.clear-completed')], expected: [shown('Polish shoes', false), list('Iron shirts')] },
  'delete-with-cross': { steps: [open('examples/emberjs/'), add('Return library books'), add('Buy stamps'), p => item(p, 'Return library books').hover(), p => p.click('#todo-list li:first-of-type .destroy'), list('Buy stamps')] },
  'complete-everything': { steps: [open('examples/knockoutjs/'), add('Wash the car'), add('Vacuum the seats'), p => p.click('#toggle-all'), footer('0 items left'), p => p.getByRole('button', { name: 'Clear completed (2)' }).waitFor()] },
  'react-list-survives-reload': { steps: [open(''), add('Feed the geese'), shown('Feed the geese', true), p => p.reload(), shown('Feed the geese', true)] },
  'oldest-task-on-top': { steps: [open(''), add('First things'), add('Second thoughts'), (p, h) => h.until(async () => await items(p).count() === 2), async (p, h) => { const t = await texts(p); h.ok(t[0] === 'First things', 'first is ' + t[0]); }] },
  'counter-after-completing': { steps: [open('examples/angularjs/'), add('Peel 3 onions'), add('Boil rice'), add('Set the table'), tick('Boil rice')], expected: [checked('Boil rice', true), footer('3 items left')] },
};
