// Entries of a conversation as people read them: requests, answers, skills, and calls of tools.

import { h } from '../view/element.js';
import { mark } from '../view/mark.js';
import { prose } from '../view/prose.js';

const LONGEST = 6000;

/** The node of an entry; nothing for those that only the agent needs. */
export function entryNode(entry) {
  const { body } = entry;
  if (entry.kind === 'message' && body.step === 'request') return said('you', 'You', body.text);
  if (entry.kind === 'cleared') return h('li', { class: 'talk-note quiet' }, 'Earlier messages were cleared.');
  if (entry.kind !== 'event') return null;
  switch (body.type) {
    case 'message':
    case 'result': return body.content ? said('agent', body.agent, body.content) : null;
    case 'thinking': return h('li', { class: 'talk-note quiet' }, body.content);
    case 'skill_loaded': return note('Skill', body.content);
    case 'agent_delegated': return note('Handed on', body.content);
    case 'tool_call': return call(body);
    case 'tool_result': return result(body);
    case 'approval_required': return note('Needs your decision', body.content);
    case 'approval_received': return note('Decided', body.content);
    case 'error': return h('li', { class: 'talk-note' }, mark('error', body.error ?? body.content));
    default: return null;
  }
}

function said(who, name, text) {
  return h('li', { class: `talk-said is-${who}` }, h('p', { class: 'talk-who quiet' }, name), h('div', { class: 'talk-text' }, who === 'you' ? text : prose(text)));
}

function note(what, text) {
  return h('li', { class: 'talk-note' }, h('span', { class: 'tag' }, what), ' ', text);
}

function call(body) {
  return h('li', { class: 'talk-note' }, h('details', {}, h('summary', {}, mark('running', `calls ${body.tool_name}`)), h('pre', { tabindex: 0 }, shown(body.tool_params))));
}

function result(body) {
  return h('li', { class: 'talk-note' }, h('details', {}, h('summary', {}, mark(body.success === false ? 'failed' : 'passed', `${body.tool_name}: ${body.success === false ? 'failed' : 'done'}`), h('span', { class: 'quiet clipped' }, ` ${body.content}`)),
    h('pre', { tabindex: 0 }, body.error ?? shown(body.tool_result))));
}

function shown(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
}
