export const draw = (view, rows) => {
  view.innerHTML = `<h1>Orders</h1><button id="new">New order</button><p role="status" id="out"></p><ul>${rows.map(r => `<li>${r.name}: ${r.pieces}</li>`).join('')}</ul>`;
  view.querySelector('#new').onclick = () => { view.querySelector('#out').textContent = 'Draft 14 was created'; };
};
