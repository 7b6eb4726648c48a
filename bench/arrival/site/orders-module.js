// The application that most pages of the class "arrival" show in the end.
const orders = rows => `<header><nav><ul><li><a href="#orders">Orders</a></li><li><a href="#stock">Stock</a></li></ul></nav></header>
<main><h1>Orders</h1><label>Customer <input name="customer"></label> <button id="place">Place order</button><p id="out" role="status"></p>
<table><tr><th>Timber</th><th>Pieces</th></tr>${rows.map(r => `<tr><td>${r.name}</td><td>${r.pieces}</td></tr>`).join('')}</table></main>`;
export const mount = (root, rows) => {
  root.innerHTML = orders(rows);
  root.querySelector('#place').onclick = () => { root.querySelector('#out').textContent = `Ordered for ${root.querySelector('input').value}`; };
};
export const ROWS = [{ name: 'Oak', pieces: 3 }, { name: 'Birch', pieces: 7 }, { name: 'Larch', pieces: 2 }];
export const get = async url => (await fetch(url)).json();
const sleep = ms => new Promise(done => setTimeout(done, ms));
