// Screens with Bootstrap and Choices.js. A page names its screen in <body data-screen="…">.
import 'bootstrap/dist/css/bootstrap.min.css';
import 'choices.js/public/assets/styles/choices.min.css';
import { Carousel, Collapse, Dropdown, Modal, Offcanvas, Popover, Tab, Toast, Tooltip } from 'bootstrap';
import Choices from 'choices.js';

const $ = (s, e = document) => e.querySelector(s);
const $$ = (s, e = document) => [...e.querySelectorAll(s)];
void [Collapse, Dropdown, Tab];

const screens = {
  'ticket-checkout': {
    html: `<div class="container py-4" style="max-width: 760px"><h1 class="h3">Checkout: “The Seagull”, 2 seats</h1>
      <div id="done" class="alert alert-success d-none" role="alert">Order 5521 received. Your tickets are sent once the transfer has arrived.</div>
      <form class="row g-3 needs-validation" novalidate>
        <div class="col-6"><label class="form-label" for="fn">First name</label><input class="form-control" id="fn" required><div class="valid-feedback">Looks good!</div><div class="invalid-feedback">Please tell us your first name.</div></div>
        <div class="col-6"><label class="form-label" for="ln">Last name</label><input class="form-control" id="ln" required><div class="valid-feedback">Looks good!</div><div class="invalid-feedback">Please tell us your last name.</div></div>
        <div class="col-12"><label class="form-label" for="em">Email <span class="text-secondary">(optional)</span></label><input type="email" class="form-control" id="em" placeholder="you@example.org"><div class="invalid-feedback">Please enter a valid email address.</div></div>
        <div class="col-4"><label class="form-label" for="zip">Zip</label><input class="form-control" id="zip" required pattern="[0-9]{5}"><div class="invalid-feedback">The zip code needs five digits.</div></div>
        <div class="col-8"><label class="form-label" for="ctry">Country</label><select class="form-select" id="ctry" required><option value="">Choose...</option><option>Estonia</option><option>Latvia</option><option disabled>Lithuania</option></select><div class="invalid-feedback">Please choose a country.</div></div>
        <div class="col-12"><div class="form-check"><input class="form-check-input" type="radio" name="pay" id="p1" checked><label class="form-check-label" for="p1">Bank transfer</label></div><div class="form-check"><input class="form-check-input" type="radio" name="pay" id="p2"><label class="form-check-label" for="p2">Invoice</label></div><div class="form-check"><input class="form-check-input" type="radio" name="pay" id="p3" disabled><label class="form-check-label" for="p3">Gift voucher</label></div></div>
        <div class="col-12"><div class="form-check"><input class="form-check-input" type="checkbox" id="tc" required><label class="form-check-label" for="tc">I agree to the house rules</label><div class="invalid-feedback">You must agree before you order.</div></div></div>
        <div class="col-12"><button class="btn btn-primary" type="submit">Order with obligation to pay</button></div>
      </form></div>`,
    setup() {
      const form = $('form');
      form.addEventListener('submit', (e) => {
        e.preventDefault();
        form.classList.add('was-validated');
        if (!form.checkValidity()) return;
        $('#done').classList.remove('d-none');
        form.classList.add('d-none');
      });
    },
  },
  'cart-toasts': {
    html: `<nav class="navbar bg-body-tertiary px-4"><span class="navbar-brand">Gadget Barn</span><button type="button" class="btn btn-primary position-relative" id="cart">Cart <span class="position-absolute top-0 start-100 translate-middle badge rounded-pill bg-danger"><span id="n">1</span><span class="visually-hidden"> items, 9 in stock</span></span></button></nav>
      <div class="container py-4"><div class="row row-cols-3 g-3" id="cards"></div></div>
      <div class="toast-container position-fixed bottom-0 end-0 p-3">
        <div id="added" class="toast" role="status" aria-live="polite" data-bs-delay="5000"><div class="toast-header"><strong class="me-auto">Cart</strong><small>just now</small><button type="button" class="btn-close" data-bs-dismiss="toast" aria-label="Close"></button></div><div class="toast-body">Kettle added</div></div>
        <div id="full" class="toast text-bg-warning" role="alert" aria-live="assertive" data-bs-autohide="false"><div class="d-flex"><div class="toast-body">Your cart is full. Remove something first.</div><button type="button" class="btn-close me-2 m-auto" data-bs-dismiss="toast" aria-label="Close"></button></div></div>
      </div>`,
    setup() {
      let n = 1;
      for (const [name, price, stock] of [['Desk fan', '$34.00', 'In stock'], ['Kettle', '$27.50', 'Only 2 left'], ['Toaster', '$41.00', 'Sold out']]) {
        const col = document.createElement('div');
        col.className = 'col';
        col.innerHTML = `<div class="card h-100"><div class="card-body"><h2 class="card-title h5">${name}</h2><p class="card-text mb-1">${price}</p><p class="card-text"><small class="text-body-secondary">${stock}</small></p><button class="btn btn-outline-primary"${stock === 'Sold out' ? ' disabled' : ''}>Add to cart</button></div></div>`;
        $('button', col).addEventListener('click', () => {
          if (n >= 3) { Toast.getOrCreateInstance('#full').show(); return; }
          $('#n').textContent = ++n;
          $('#added .toast-body').textContent = `${name} added`;
          Toast.getOrCreateInstance('#added').show();
        });
        $('#cards').append(col);
      }
    },
  },
  'user-modal': {
    html: `<div class="container py-4"><h1 class="h3">Users <span class="badge text-bg-secondary">4</span></h1>
      <table class="table align-middle"><thead><tr><th>Name</th><th>Role</th><th>Last sign-in</th><th></th></tr></thead><tbody></tbody></table>
      <div class="modal fade" id="edit" tabindex="-1" aria-labelledby="t" aria-hidden="true" data-bs-backdrop="static"><div class="modal-dialog"><div class="modal-content"><div class="modal-header"><h2 class="modal-title fs-5" id="t">Edit user</h2><button type="button" class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div>
      <div class="modal-body"><label class="form-label" for="nm">Full name</label><input class="form-control mb-2" id="nm"><label class="form-label" for="rl">Role</label><select class="form-select" id="rl"><option>Viewer</option><option>Editor</option><option>Owner</option></select><div class="form-text text-danger d-none" id="err">A workspace needs at least one owner.</div></div>
      <div class="modal-footer"><button type="button" class="btn btn-secondary" data-bs-dismiss="modal">Cancel</button><button type="button" class="btn btn-primary" id="save">Save changes</button></div></div></div></div></div>`,
    setup() {
      const users = [['Birgit Falk', 'Owner', 'Today'], ['Chidi Obi', 'Editor', 'Yesterday'], ['Jan Nowak', 'Viewer', 'Never'], ['Zoe Martin', 'Editor', '3 May']];
      let cur = 0;
      const draw = () => {
        $('tbody').innerHTML = users.map(([n, r, s], i) => `<tr><td>${n}</td><td>${r}</td><td>${s}</td><td><button class="btn btn-sm btn-link" data-i="${i}">Edit</button></td></tr>`).join('');
      };
      draw();
      const modal = new Modal('#edit');
      $('tbody').addEventListener('click', (e) => {
        const b = e.target.closest('button');
        if (!b) return;
        cur = +b.dataset.i;
        $('#nm').value = users[cur][0];
        $('#rl').value = users[cur][1];
        $('#err').classList.add('d-none');
        modal.show();
      });
      $('#save').addEventListener('click', () => {
        if (users[cur][1] === 'Owner' && $('#rl').value !== 'Owner') { $('#err').classList.remove('d-none'); return; }
        users[cur][0] = $('#nm').value;
        users[cur][1] = $('#rl').value;
        draw();
        modal.hide();
      });
    },
  },
  'faq-accordion': {
    html: `<div class="container py-4" style="max-width: 820px"><h1 class="h3">City pool</h1>
      <p><button class="btn btn-outline-primary btn-sm" data-bs-toggle="collapse" data-bs-target="#hours" aria-expanded="false" aria-controls="hours">Opening hours</button> <button class="btn btn-outline-secondary btn-sm" disabled>Book a lane</button></p>
      <div class="collapse" id="hours"><div class="card card-body mb-3">Monday to Friday 7:00–21:00. Closed on 1 May.</div></div>
      <div class="accordion" id="faq"></div></div>`,
    setup() {
      const items = [['How much is a ticket?', 'Adults pay €6.50, children under 6 swim for free.'], ['Is there a sauna?', 'The sauna is closed for repairs until 30 June.'], ['Can I rent towels?', 'Yes, for €3 and a deposit of €5.']];
      $('#faq').innerHTML = items.map(([q, a], i) => `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button${i ? ' collapsed' : ''}" type="button" data-bs-toggle="collapse" data-bs-target="#c${i}" aria-expanded="${!i}" aria-controls="c${i}">${q}</button></h2><div id="c${i}" class="accordion-collapse collapse${i ? '' : ' show'}" data-bs-parent="#faq"><div class="accordion-body">${a}</div></div></div>`).join('');
    },
  },
  'patient-tabs': {
    html: `<div class="container py-4"><h1 class="h4">Emil Strand <small class="text-secondary">born 4 Oct 1971</small></h1>
      <ul class="nav nav-tabs" role="tablist"><li class="nav-item"><button class="nav-link active" data-bs-toggle="tab" data-bs-target="#v" role="tab" aria-selected="true">Visits <span class="badge text-bg-light">3</span></button></li><li class="nav-item"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#m" role="tab" aria-selected="false">Medication</button></li><li class="nav-item"><button class="nav-link" data-bs-toggle="tab" data-bs-target="#l" role="tab" aria-selected="false">Lab results <span class="badge text-bg-danger">1</span></button></li><li class="nav-item"><a class="nav-link disabled" aria-disabled="true">Billing</a></li></ul>
      <div class="tab-content pt-3"><div class="tab-pane fade show active" id="v" role="tabpanel"><ul class="list-group"><li class="list-group-item">12 Mar: check-up, Dr. Sand</li><li class="list-group-item">2 Feb: flu vaccination, nurse Kim</li><li class="list-group-item text-decoration-line-through">20 Jan: cancelled by patient</li></ul></div>
      <div class="tab-pane fade" id="m" role="tabpanel"><table class="table"><thead><tr><th>Drug</th><th>Dose</th><th>Until</th></tr></thead><tbody><tr><td>Ramipril</td><td>5 mg</td><td>ongoing</td></tr><tr><td>Amoxicillin</td><td>500 mg</td><td>stopped on 9 Feb</td></tr></tbody></table></div>
      <div class="tab-pane fade" id="l" role="tabpanel"><div class="alert alert-danger">Potassium 5.9 mmol/l is above the normal range.</div><p>Glucose 5.1 mmol/l is normal.</p></div></div></div>`,
    setup() {},
  },
  'recipe-choices': {
    html: `<div class="container py-4" style="max-width: 760px"><h1 class="h3">Recipes</h1>
      <div class="row"><div class="col-6"><label class="form-label" for="cui">Cuisine</label><select id="cui"><option value="">Any cuisine</option><option value="it">Italian</option><option value="in">Indian</option><option value="id">Indonesian</option><option value="jp" disabled>Japanese (soon)</option></select></div>
      <div class="col-6"><label class="form-label" for="diet">Diet</label><select id="diet" multiple><option value="vegan">Vegan</option><option value="gf" selected>Gluten-free</option><option value="nut">Nut-free</option></select></div></div>
      <p class="fw-bold" id="count"></p><div class="list-group" id="list"></div></div>`,
    setup() {
      const all = [['Risotto', 'it', ['gf']], ['Pasta al pesto', 'it', []], ['Dal', 'in', ['vegan', 'gf', 'nut']], ['Paneer curry', 'in', ['gf']], ['Gado-gado', 'id', ['vegan', 'gf']], ['Naan', 'in', ['nut']]];
      const cui = new Choices('#cui', { shouldSort: false, itemSelectText: '', allowHTML: false, noResultsText: 'No cuisine found' });
      const diet = new Choices('#diet', { removeItemButton: true, shouldSort: false, itemSelectText: '', allowHTML: false, placeholderValue: 'Add a diet' });
      const draw = () => {
        const c = cui.getValue(true);
        const d = diet.getValue(true);
        const hits = all.filter((r) => (!c || r[1] === c) && d.every((x) => r[2].includes(x)));
        $('#count').textContent = hits.length + (hits.length === 1 ? ' recipe' : ' recipes');
        $('#list').innerHTML = hits.map((r) => `<a class="list-group-item list-group-item-action" href="#${r[0].toLowerCase().replace(/\W+/g, '-')}">${r[0]}</a>`).join('') || '<p class="text-secondary">Nothing fits. Remove a filter.</p>';
      };
      draw();
      $('#cui').addEventListener('change', draw);
      $('#diet').addEventListener('change', draw);
    },
  },
  'flat-offcanvas': {
    html: `<div class="container py-4"><div class="d-flex align-items-center gap-3 mb-3"><h1 class="h3 m-0">Flats in Ghent</h1><button class="btn btn-outline-primary" data-bs-toggle="offcanvas" data-bs-target="#f" aria-controls="f">Filters</button><span id="on" class="text-secondary">No filters set</span></div><div id="list" class="row row-cols-3 g-3"></div></div>
      <div class="offcanvas offcanvas-end" tabindex="-1" id="f" aria-labelledby="ft"><div class="offcanvas-header"><h2 class="offcanvas-title h5" id="ft">Filters</h2><button type="button" class="btn-close" data-bs-dismiss="offcanvas" aria-label="Close"></button></div><div class="offcanvas-body">
      <label for="rent" class="form-label">Maximum rent: <output id="o">€1200</output></label><input type="range" class="form-range" id="rent" min="500" max="1500" step="50" value="1200">
      <div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="pets"><label class="form-check-label" for="pets">Pets allowed</label></div><div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="lift" checked disabled><label class="form-check-label" for="lift">Checked by us</label></div>
      <p class="mt-2 text-secondary">0 flats with a garden</p><button class="btn btn-primary w-100 mt-2" id="go">Show flats</button></div></div>`,
    setup() {
      const flats = [['Coupure 12', 780, true], ['Dampoort 3', 640, false], ['Korenmarkt 8', 1150, false], ['Patershol 1', 1480, true]];
      const draw = (max, pets) => {
        const hits = flats.filter((f) => f[1] <= max && (!pets || f[2]));
        $('#list').innerHTML = hits.map(([n, r, p]) => `<div class="col"><div class="card"><div class="card-body"><h2 class="h6 card-title">${n}</h2><p class="card-text">€${r} a month${p ? '<br>Pets welcome' : '<br>No pets'}</p></div></div></div>`).join('') || '<p class="col">No flats fit your filters</p>';
      };
      draw(9999, false);
      $('#rent').addEventListener('input', () => { $('#o').textContent = '€' + $('#rent').value; });
      $('#go').addEventListener('click', () => {
        draw(+$('#rent').value, $('#pets').checked);
        $('#on').textContent = `Up to €${$('#rent').value}${$('#pets').checked ? ', pets allowed' : ''}`;
        Offcanvas.getOrCreateInstance('#f').hide();
      });
    },
  },
  'report-table': {
    html: `<div class="container py-4"><div class="d-flex gap-2 align-items-center mb-2"><h1 class="h3 m-0">Machine reports</h1><button class="btn btn-sm btn-outline-secondary" id="tip" data-bs-toggle="tooltip" data-bs-title="Last sync failed at 06:10">Sync</button><button class="btn btn-sm btn-outline-secondary" id="pop">Legend</button></div>
      <div id="load"><div class="spinner-border" role="status"><span class="visually-hidden">Loading...</span></div><p class="placeholder-glow"><span class="placeholder col-7"></span></p></div>
      <div id="box" class="d-none"><table class="table table-striped"><thead><tr><th>Machine</th><th>Result</th><th class="d-none d-xxl-table-cell">Inspector</th><th>Hours</th></tr></thead><tbody></tbody></table>
      <nav><ul class="pagination"></ul></nav></div></div>`,
    setup() {
      const rows = [['Press A', 'Passed', 'Ola Berg', 12], ['Press B', 'Failed', 'Ola Berg', 7], ['Lathe 1', 'Passed', 'Kim Aas', 31], ['Lathe 2', 'Not tested', 'Kim Aas', 0], ['Saw 4', 'Passed', 'Per Moe', 18]];
      new Tooltip('#tip');
      new Popover('#pop', { title: 'Legend', content: 'Failed machines must be locked out.', placement: 'bottom' });
      let page = 0;
      const draw = () => {
        $('tbody').innerHTML = rows.slice(page * 2, page * 2 + 2).map(([m, r, i, h]) => `<tr><td>${m}</td><td><span class="badge ${r === 'Passed' ? 'text-bg-success' : r === 'Failed' ? 'text-bg-danger' : 'text-bg-secondary'}">${r}</span></td><td class="d-none d-xxl-table-cell">${i}</td><td>${h}</td></tr>`).join('');
        const li = (label, p, off) => `<li class="page-item${off ? ' disabled' : ''}${label === page + 1 ? ' active' : ''}"><a class="page-link" href="#"${label === page + 1 ? ' aria-current="page"' : ''}${off ? ' aria-disabled="true" tabindex="-1"' : ''} data-p="${p}">${label}</a></li>`;
        $('.pagination').innerHTML = li('Previous', page - 1, page === 0) + [1, 2, 3].map((n) => li(n, n - 1)).join('') + li('Next', page + 1, page === 2);
      };
      $('.pagination').addEventListener('click', (e) => {
        e.preventDefault();
        const a = e.target.closest('a');
        if (!a || a.parentElement.classList.contains('disabled')) return;
        page = +a.dataset.p;
        draw();
      });
      setTimeout(() => { draw(); $('#load').remove(); $('#box').classList.remove('d-none'); }, 1500);
    },
  },
  'plans-carousel': {
    html: `<div class="container py-4" style="max-width: 820px"><div class="d-flex justify-content-between"><h1 class="h3">Plans</h1><div class="dropdown"><button class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown" aria-expanded="false">Currency: EUR</button><ul class="dropdown-menu"><li><button class="dropdown-item active" type="button" data-c="€">EUR</button></li><li><button class="dropdown-item" type="button" data-c="$">USD</button></li><li><button class="dropdown-item disabled" type="button" aria-disabled="true">GBP</button></li></ul></div></div>
      <div class="btn-group my-3" role="group" aria-label="Billing period"><input type="radio" class="btn-check" name="per" id="mo" autocomplete="off" checked><label class="btn btn-outline-primary" for="mo">Monthly</label><input type="radio" class="btn-check" name="per" id="yr" autocomplete="off"><label class="btn btn-outline-primary" for="yr">Yearly</label></div>
      <div class="row row-cols-2 g-3"><div class="col"><div class="card"><div class="card-body"><h2 class="h5">Solo</h2><p class="fs-4" id="p1"></p><p>5 GB, 1 user</p></div></div></div><div class="col"><div class="card border-primary"><div class="card-body"><h2 class="h5">Team <span class="badge text-bg-primary">Most popular</span></h2><p class="fs-4" id="p2"></p><p>50 GB, 10 users</p></div></div></div></div>
      <div id="car" class="carousel carousel-dark slide mt-4" data-bs-interval="false"><div class="carousel-inner text-center p-4"><div class="carousel-item active"><blockquote>“Set up in ten minutes.”</blockquote>Marta, florist</div><div class="carousel-item"><blockquote>“Support never answered me.”</blockquote>Dov, printer</div><div class="carousel-item"><blockquote>“Worth every cent.”</blockquote>Anouk, baker</div></div><button class="carousel-control-prev" type="button" data-bs-target="#car" data-bs-slide="prev"><span class="carousel-control-prev-icon" aria-hidden="true"></span><span class="visually-hidden">Previous</span></button><button class="carousel-control-next" type="button" data-bs-target="#car" data-bs-slide="next"><span class="carousel-control-next-icon" aria-hidden="true"></span><span class="visually-hidden">Next</span></button></div></div>`,
    setup() {
      let cur = '€';
      const draw = () => {
        const y = $('#yr').checked;
        $('#p1').textContent = cur + (y ? '90 a year' : '9 a month');
        $('#p2').textContent = cur + (y ? '290 a year' : '29 a month');
      };
      draw();
      Carousel.getOrCreateInstance('#car');
      $$('[name=per]').forEach((r) => r.addEventListener('change', draw));
      $$('.dropdown-item[data-c]').forEach((b) => b.addEventListener('click', () => {
        cur = b.dataset.c;
        $$('.dropdown-item').forEach((x) => x.classList.toggle('active', x === b));
        $('.dropdown-toggle').textContent = 'Currency: ' + b.textContent;
        draw();
      }));
    },
  },
};

const screen = screens[document.body.dataset.screen];
$('#root').innerHTML = screen.html;
screen.setup();
