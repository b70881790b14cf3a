// Loaded before the recorder: keeps postMessage as the runtime has it, for blocks without the recorder in a recorded program.
const { MessagePort } = require('node:worker_threads');
globalThis[Symbol.for('raw postMessage')] = MessagePort.prototype.postMessage;
