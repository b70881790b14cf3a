/** Programs for Bun and Deno. Each prints what a program can see; what they post is known. */
import type { Program } from './recorded.ts';

/**
 * 40 round trips with a worker, 3 messages through a channel of its own, 5 clones and a broadcast. Another worker posts as many
 * messages as it says, and is terminated as soon as the last has arrived.
 */
export const ALL_APIS: Program['files'] = {
  'main.mjs': `
import { BroadcastChannel, MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: { start: 1 } });
let left = 40;
const next = () => { worker.postMessage({ task: left, text: 'x'.repeat(left) }); };
worker.on('message', () => { if (--left > 0) next(); else { console.log('done'); worker.terminate(); } });
next();
const { port1, port2 } = new MessageChannel();
for (let i = 0; i < 3; i++) { port1.postMessage([i]); receiveMessageOnPort(port2); }
port1.close();
try { port1.postMessage('to a closed port'); } catch (error) { console.log(error.name); }
for (let i = 0; i < 5; i++) structuredClone({ i });
const channel = new BroadcastChannel('news');
channel.postMessage('hello');
channel.close();
const burst = new Worker(new URL('./burst.mjs', import.meta.url));
let got = 0;
burst.on('message', () => { if (++got === 500) burst.terminate(); });
`,
  'worker.mjs': `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', ({ task }) => { parentPort.postMessage({ done: task }); });
`,
  'burst.mjs': `
import { parentPort } from 'node:worker_threads';
for (let i = 0; i < 500; i++) parentPort.postMessage({ i });
setInterval(() => undefined, 1000);
`,
};

/** Each kind of worker and child answers one message. */
export const REACH: Program['files'] = {
  'main.mjs': `
import { Worker as NodeWorker } from 'node:worker_threads';
import { fork } from 'node:child_process';
const text = 'self.onmessage = (e) => { self.postMessage({ re: e.data }); }';
const ask = (name, worker) => new Promise((done) => {
  worker.onmessage = ({ data }) => { console.log(name, JSON.stringify(data)); worker.terminate(); done(); };
  worker.onerror = (e) => { console.log(name, e.message); done(); };
  worker.postMessage({ ask: name });
});
const module = { type: 'module' };
await ask('file', new Worker(new URL('./web.mjs', import.meta.url), module));
await ask('string', new Worker(new URL('./web.mjs', import.meta.url).href, module));
await ask('blob', new Worker(URL.createObjectURL(new Blob([text], { type: 'text/javascript' })), module));
await ask('data', new Worker('data:text/javascript,' + encodeURIComponent(text), module));
await ask('nested', new Worker(new URL('./outer.mjs', import.meta.url), module));
const node = (name, worker) => new Promise((done) => {
  worker.on('message', (m) => { console.log(name, JSON.stringify(m)); worker.terminate(); done(); });
  worker.postMessage({ ask: name });
});
await node('node', new NodeWorker(new URL('./node.mjs', import.meta.url)));
await node('eval', new NodeWorker("const { parentPort } = process.getBuiltinModule('node:worker_threads'); parentPort.on('message', (m) => { parentPort.postMessage({ re: m }); })", { eval: true }));
const child = (name, process) => new Promise((done) => {
  process.on('message', (m) => { console.log(name, JSON.stringify(m)); process.send({ stop: 1 }); });
  process.on('exit', done);
});
const file = new URL('./child.mjs', import.meta.url).pathname;
await child('fork', fork(file));
await child('env', fork(file, { env: { PATH: process.env.PATH, HOME: process.env.HOME } }));
console.log('end');
`,
  'web.mjs': 'self.onmessage = (e) => { self.postMessage({ re: e.data }); };',
  'outer.mjs': `
const inner = new Worker(new URL('./web.mjs', import.meta.url), { type: 'module' });
inner.onmessage = (e) => { postMessage({ outer: e.data }); };
self.onmessage = (e) => { inner.postMessage({ down: e.data }); };
`,
  'node.mjs': `
import { parentPort } from 'node:worker_threads';
parentPort.on('message', (m) => { parentPort.postMessage({ re: m }); });
`,
  'child.mjs': `
process.on('message', () => { process.disconnect(); });
process.send({ hello: 1 });
`,
};

/** What REACH prints. */
export const REACH_PRINTS = `file {"re":{"ask":"file"}}
string {"re":{"ask":"string"}}
blob {"re":{"ask":"blob"}}
data {"re":{"ask":"data"}}
nested {"outer":{"re":{"down":{"ask":"nested"}}}}
node {"re":{"ask":"node"}}
eval {"re":{"ask":"eval"}}
fork {"hello":1}
env {"hello":1}
end
`;

/** What is counted of REACH, by api and sender. */
export const REACHED = [
  '2 ChildProcess.send main',
  '2 process.send child child.mjs',
  '1 Worker.postMessage worker outer.mjs',
  '7 Worker.postMessage main',
  '2 parentPort.postMessage worker',
  '6 self.postMessage worker',
];

/** Posts in a burst, says how often, and is killed. */
export const KILLED: Program['files'] = {
  'main.mjs': `
for (let i = 0; i < 300; i++) structuredClone({ i });
setTimeout(() => { for (let i = 0; i < 2000; i++) structuredClone([i]); console.log('2300'); for (;;); }, 300);
`,
};
