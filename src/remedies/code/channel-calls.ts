/** How a program posts a message over each channel, and where its other side gets it. */
import type { Channel, FileContent } from '../../model/names.ts';
import { readLines, writeLines } from './file-call.ts';

export interface CallRow {
  post(message: string, content: FileContent): string;
  /** Null where there is no transfer list. */
  postWith: ((message: string, transferList: string) => string) | null;
  /** Lines around the code that receives a message called `name`; none where any code of the program may. */
  receive: ((name: string) => [before: string, after: string]) | null;
  /** Where the code does not get a message but asks for it; `restored` makes the payload of an expression. */
  ask?(restored: (message: string) => string, content: FileContent): string[];
}

const copied = (post: CallRow['post']): CallRow => ({ post, postWith: null, receive: null });

const SEND = copied((message) => `child.send(${message}); // in the child: process.send`);
const TO_EXTENSION = copied((message) => `port.postMessage(${message}); // or chrome.runtime.sendMessage`);

export const CHANNEL_CALLS: Record<Channel, CallRow> = {
  worker: {
    post: (message) => `worker.postMessage(${message});`,
    postWith: (message, list) => `worker.postMessage(${message}, ${list});`,
    receive: null,
  },
  'message-port': {
    post: (message) => `port.postMessage(${message});`,
    postWith: (message, list) => `port.postMessage(${message}, ${list});`,
    receive: null,
  },
  'structured-clone': {
    post: (message) => `const copied = structuredClone(${message});`,
    postWith: (message, list) => `const copied = structuredClone(${message}, { transfer: ${list} });`,
    receive: null,
    ask: (restored) => [`const copy = ${restored('copied')};`],
  },
  window: {
    post: (message) => `frame.contentWindow.postMessage(${message}, location.origin);`,
    postWith: (message, list) => `frame.contentWindow.postMessage(${message}, location.origin, ${list});`,
    receive: null,
  },
  broadcast: copied((message) => `channel.postMessage(${message});`),
  'node-worker': {
    post: (message) => `worker.postMessage(${message});`,
    postWith: (message, list) => `worker.postMessage(${message}, ${list});`,
    receive: null,
  },
  'ipc-json': SEND,
  'ipc-advanced': SEND,
  'electron-ipc': copied((message) => `window.webContents.send('message', ${message});`),
  'electron-port': copied((message) => `port.postMessage(${message});`),
  'electron-bridge': {
    ...copied((message) => `window.api.run(${message}); // of the preload script`),
    receive: (name) => [`contextBridge.exposeInMainWorld('api', { run(${name}) {`, '} });'],
  },
  extension: TO_EXTENSION,
  'extension-clone': TO_EXTENSION,
  storage: {
    ...copied(writeLines),
    ask: (restored, content) => {
      const [before, message] = readLines(content);
      return [...before, `const payload = ${restored(message)};`];
    },
  },
  indexeddb: {
    ...copied((message) => `store.put(${message}, key); // of a transaction for 'readwrite'`),
    ask: (restored) => [
      `const payload = ${restored('request.result')}; // when request = store.get(key) has succeeded`,
    ],
  },
  rpc: {
    post: (message) => `await env.SERVICE.run(${message});`,
    postWith: null,
    receive: (name) => [`export class Service extends WorkerEntrypoint { run(${name}) {`, '} }'],
  },
};
