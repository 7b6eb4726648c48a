add.onclick = () => { n.textContent = +n.textContent + 1; out.textContent = 'Oak table is in your cart'; };
