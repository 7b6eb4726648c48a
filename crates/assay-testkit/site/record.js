// Part of every page: what happened, in order, for a test to read.
window.log = [];
function record(text) {
  window.log.push(String(text));
  var output = document.getElementById('log');
  if (output) output.textContent = window.log.join('\n');
}
// Records an event of an element and then lets it act. An event that a script
// made, rather than a user, is told apart.
function on(target, type, act) {
  var element = typeof target === 'string' ? document.getElementById(target) : target;
  element.addEventListener(type, function (event) {
    record((event.isTrusted ? '' : 'untrusted ') + type + ' ' + element.id);
    if (act) act(event);
  });
}
function say(text) {
  document.getElementById('status').textContent = text;
}
