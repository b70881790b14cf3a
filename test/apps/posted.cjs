// Preloaded into a program of fixtures/apps: writes down each message that holds a task or a result, and its size. It knows
// nothing of the recorder that is compared with it.
const { appendFileSync } = require('node:fs');
const { serialize } = require('node:v8');
const { isMainThread, MessagePort } = require('node:worker_threads');

const isOne = (value) => value.id >= 1000 && typeof value.text === 'string';
const holds = (value, depth = 0) =>
  typeof value === 'object' &&
  value !== null &&
  (isOne(value) || (depth < 3 && Object.values(value).some((inner) => holds(inner, depth + 1))));

const { postMessage } = MessagePort.prototype;
MessagePort.prototype.postMessage = function (message, ...rest) {
  if (holds(message)) {
    const line = `${isMainThread ? 'request' : 'reply'} ${serialize(message).length}\n`;
    appendFileSync(process.env.POSTED_FILE, line);
  }
  return postMessage.call(this, message, ...rest);
};
