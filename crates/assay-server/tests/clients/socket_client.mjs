// A client of Socket.IO: `node socket_client.mjs PACKAGES URL OPTIONS`, as socket_client.py is one.

import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const [packages, url, said] = process.argv.slice(2);
const { io } = createRequire(`${packages}/`)('socket.io-client');
const options = JSON.parse(said);
const say = (what) => process.stdout.write(`${JSON.stringify(what)}\n`);
const sockets = new Map();

for (const namespace of options.namespaces) {
  const socket = io(url + namespace, {
    auth: options.auth, extraHeaders: options.headers, transports: options.transports, reconnection: false, forceNew: false,
  });
  sockets.set(namespace, socket);
  socket.on('connect', () => {
    say({ heard: 'connect', namespace });
    const { engine } = socket.io;
    const told = () => say({ heard: 'transport', name: engine.transport.name });
    if (options.transports?.length === 1 || engine.transport.name === 'websocket') told();
    else engine.once('upgrade', told);
  });
  socket.on('connect_error', (error) => {
    const data = error.data === undefined ? { message: error.message } : { message: error.message, data: error.data };
    say({ heard: error.type === 'TransportError' ? 'refused' : 'connect_error', namespace, data, status: error.context?.status, body: error.context?.responseText });
    if (error.type === 'TransportError') process.exit(0);
  });
  socket.on('disconnect', (reason) => say({ heard: 'disconnect', namespace, reason }));
  socket.onAny((name, ...data) => say({ heard: 'event', namespace, name, data }));
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  const told = (...data) => say({ heard: 'ack', id: order.id, data });
  if (order.emit) {
    const [namespace, event, data] = order.emit;
    sockets.get(namespace).emit(event, data, told);
  } else if (order.binary) {
    const [namespace, event] = order.binary;
    sockets.get(namespace).emit(event, Buffer.from([0, 1, 2]), told);
  } else break;
}
for (const socket of sockets.values()) socket.disconnect();
process.exit(0);
