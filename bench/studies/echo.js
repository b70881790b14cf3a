/** Answers each message with a payload of its own, in the form in which it came. */
import * as payloads from './payloads.js';

/** @type {unknown} */
let own;
/** @type {MessagePort | DedicatedWorkerGlobalScope} */
let channel;

/** @param {MessageEvent} event */
function answer({ data }) {
  if (typeof data !== 'string') return channel.postMessage(own);
  JSON.parse(data);
  channel.postMessage(JSON.stringify(own));
}

/** @param {MessageEvent} event */
self.onmessage = ({ data: name, ports: [port] }) => {
  own = { ...payloads }[name]();
  channel = port ?? self;
  channel.onmessage = answer;
  self.postMessage('ready');
};
