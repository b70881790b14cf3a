/** The generated calls and the envelopes, with the libraries themselves: what they post, and what comes out. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { pastedCode } from '../../src/codec/code/call.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import { LIBRARIES, type LibraryName } from '../../src/model/names.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';
import { envelopeFor, inEnvelope, valuePath } from '../../src/record/envelopes/envelopes.ts';
import { runScript } from '../support/run-script.ts';
import { runtime } from '../support/runtimes.ts';
import { project } from '../support/temp-project.ts';
import { at } from './cases/objects.ts';

/**
 * What a program has besides the generated code. WORKER is the path of the worker's file. The exit of the program ends its
 * workers: a pool that is asked to may wait for a worker that no longer keeps the process alive, which ends with code 13.
 */
interface Program {
  main: string;
  worker?: string;
}

const WEB_WORKER = `import { parentPort, Worker } from 'node:worker_threads';`;
const TINY = 'pool = new Pool({ filename: WORKER, maxThreads: 1, minThreads: 1 });';

const PROGRAMS: Record<LibraryName, Program> = {
  piscina: {
    main: `import { Piscina as Pool } from 'piscina';\nconst ${TINY}`,
  },
  tinypool: { main: `import Pool from 'tinypool';\nconst ${TINY}` },
  comlink: {
    main: `${WEB_WORKER}
import * as Comlink from 'comlink/dist/esm/comlink.mjs';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
const worker = new Worker(WORKER);
const remote = Comlink.wrap(nodeEndpoint(worker));`,
    worker: `${WEB_WORKER}
import * as library from 'comlink/dist/esm/comlink.mjs';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
const Comlink = { expose: (api) => library.expose(api, nodeEndpoint(parentPort)) };`,
  },
  threads: {
    main: `import { spawn, Thread, Transfer, Worker } from 'threads';
const thread = await spawn(new Worker('./worker.mjs'));`,
    worker: `import { expose } from 'threads/worker';`,
  },
  workerpool: {
    main: `import workerpool from 'workerpool';
const pool = workerpool.pool(WORKER, { workerType: 'thread', maxWorkers: 1 });`,
    worker: `import workerpool from 'workerpool';`,
  },
  synckit: {
    main: `import { createSyncFn } from 'synckit';\nconst run = createSyncFn(WORKER);`,
    worker: `import { runAsWorker } from 'synckit';`,
  },
  'jest-worker': {
    main: `import { Worker } from 'jest-worker';
const worker = new Worker(WORKER, { enableWorkerThreads: true, exposedMethods: ['run'], numWorkers: 1 });`,
  },
  // Written for the web: events with `data`, and `self`.
  'promise-worker': {
    main: `${WEB_WORKER}
import PromiseWorker from 'promise-worker';
const worker = new Worker(WORKER);
worker.addEventListener = (type, listener) => worker.on(type, (data) => listener({ data }));
const promiseWorker = new PromiseWorker(worker);`,
    worker: `${WEB_WORKER}
globalThis.self = {
  addEventListener: (type, listener) => parentPort.on(type, (data) => listener({ data })),
  postMessage: (message) => parentPort.postMessage(message),
};
const { default: registerPromiseWorker } = await import('promise-worker/register.js');`,
  },
  poolifier: {
    main: `import { FixedThreadPool } from 'poolifier';\nconst pool = new FixedThreadPool(1, WORKER);`,
    worker: `import { ThreadWorker } from 'poolifier';`,
  },
};

/** Keys of all objects that this thread posts, and whether `$` as the message leads to a value. */
const recorder = (path: string) => `import { MessagePort } from 'node:worker_threads';
const posted = [];
const { postMessage } = MessagePort.prototype;
const valueIn = ($) => { try { return ${path} !== undefined; } catch { return false; } };
MessagePort.prototype.postMessage = function (message, list) {
  if (typeof message === 'object') posted.push({ keys: Object.keys(message).join(), hasValue: valueIn(message) });
  return postMessage.call(this, message, list);
};
`;

const folder = (library: string): string | undefined =>
  (createRequire(import.meta.url).resolve.paths(library) ?? []).find((one) => existsSync(join(one, library)));

interface Sent {
  text: string;
  posted: { keys: string; hasValue: boolean }[];
}

interface Told {
  sent: Sent[];
  posted: Sent['posted'];
  bytesLeft?: number;
}

async function told(library: LibraryName, remedy: Remedy, plan: Plan): Promise<Told> {
  const { cwd } = project();
  await symlink(folder(library)!, join(cwd, 'node_modules'));
  const { sender, receiver } = pastedCode(remedy.codec(plan, { channel: 'worker', via: library }));
  const lines = sender.split('\n');
  const call = lines.pop()!;
  const [main, worker] = [join(cwd, 'main.mjs'), join(cwd, 'worker.mjs')];
  const program = PROGRAMS[library];
  const answer = 'return { text: inspect(payload), posted: posted.splice(0) };';
  await writeFile(
    worker,
    `import { inspect } from 'node:util';
${recorder('$')}${program.worker ?? ''}
${receiver.replace('// ...', answer)}`,
  );
  await writeFile(
    main,
    `${recorder(valuePath(library))}const WORKER = ${JSON.stringify(worker)};
${program.main}
async function send(payload) {
${[...lines, `return ${call}`].join('\n')}
}
const payload = { id: 7, text: 'é'${remedy.transfer ? ', data: new Uint8Array([1, 2, 3])' : ''} };
const sent = [await send(structuredClone(payload)), await send(payload)];
process.stdout.write(JSON.stringify({ sent, posted, bytesLeft: payload.data?.byteLength }), () => process.exit());`,
  );
  return JSON.parse(await runScript(runtime('node'), [main])) as Told;
}

const keysOf = (message: unknown): string => Object.keys(message as object).join();

for (const library of LIBRARIES) {
  const skip = folder(library) === undefined && `${library} is not installed`;
  const { transfers } = envelopeFor(library, 'sender');
  // Functions on both sides are generated for libraries without a transfer list.
  const [remedy, plan]: [Remedy, Plan] = transfers
    ? [REMEDIES.transfer, { ...at('$.data'), inline: ['view'] }]
    : [REMEDIES['json-text'], at('$')];

  test(`${library}: its own worker gets the payload, in the envelope that is measured`, {
    skip,
  }, async () => {
    const { sent, posted, bytesLeft } = await told(library, remedy, plan);
    const expected = inspect({ id: 7, text: 'é', ...(transfers && { data: new Uint8Array([1, 2, 3]) }) });
    for (const { text } of sent) assert.equal(text, expected);
    assert.equal(bytesLeft, transfers ? 0 : undefined, 'the sender has left');
    const request = { keys: keysOf(inEnvelope(library, 1)), hasValue: true };
    assert.ok(
      posted.some((one) => inspect(one) === inspect(request)),
      inspect({ request, posted }),
    );
    const reply = keysOf(envelopeFor(library, 'receiver').wrap(1, []));
    assert.ok(
      sent[1]!.posted.some(({ keys }) => keys === reply),
      inspect({ reply, posted: sent[1]!.posted }),
    );
  });
}
