import { mount, ROWS } from '/orders-module.js';
mount(document.querySelector('#root'), ROWS);
