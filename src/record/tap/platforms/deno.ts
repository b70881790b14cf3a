/** The recorder in a thread of Deno: started by `tap.cjs`, in workers by the code that they are started with. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { attempt } from '../../../model/or-else.ts';
import { HEADER } from '../../threads/counters.ts';
import { type CountedChannel, channelTo, queueIn } from '../messages/buckets.ts';
import { onRead, type Post, ports, type Receiver, receiverIn } from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import { givenAddress, sendsToParent, watchChildren, watchWorkers } from '../process/started.ts';
import * as threads from '../process/thread.ts';
import * as kept from '../realm.ts';

declare const Deno: { version: { deno: string } };

type WorkerKind = 'web' | 'node';

interface WorkerStart {
  thread: number;
  parent: number;
  kind: WorkerKind;
  file: string | null;
  /** Address that the program has given; null for code given as text. */
  address: string | null;
}

const { workerThreads, WebWorker } = threads;

export const start = (folder: string): void => attempt(() => begin(folder, null));

export const startWorker = (folder: string, worker: WorkerStart): void =>
  attempt(() => {
    const { kind, address, file } = worker;
    // A worker would see the address of the code that starts it.
    if (address !== null && 'location' in globalThis) {
      const value = new Url(address);
      kept.defineProperty(globalThis, 'location', { configurable: true, enumerable: true, value });
    }
    const { argv } = process;
    // A worker's file is the second argument of its process.
    if (kind === 'node' && address !== null && argv.length > 1) argv[1] = file ?? address;
    begin(folder, worker);
  });

function begin(folder: string, worker: WorkerStart | null): void {
  const thread = worker?.thread ?? 0;
  const parent = worker?.parent ?? null;
  // Workers of node:worker_threads share the memory of the thread that starts them. That of a web worker goes with it.
  const given = worker?.kind === 'node' ? threads.handedOver() : null;
  const memory = new threads.ThreadMemory(thread, parent, given);
  const { own: counters } = memory;
  const write = () => memory.write(folder);
  const often = kept.governor(kept.now(), 0, 0.02);
  const runtime = { name: 'deno', version: Deno.version.deno } as const;
  threads.startTap({
    ...{ folder, thread, counters, messagePort: MessagePort.prototype },
    started: threads.threadStarted(runtime, thread, parent, worker?.file ?? null),
    engine: () => (require('../look/v8.ts') as typeof import('../look/v8.ts')).denoEngine,
    endsUnseen: worker !== null,
    // Deno's own code is named as that of Node.
    ...log.stacks({ fileOf: (file) => (kept.startsWith(file, 'ext:') ? `node:${file}` : file) }),
    writeCounters: write,
    ...(worker?.kind === 'web' && { onCounted: () => often.within(write) }),
    posts: [...posts(), ...(worker === null ? [sendsToParent()] : postsToParent(worker, counters))],
  });
  watchReceived(worker === null ? null : receiverIn(counters, 'down'));
  let started = 0;
  for (const kind of ['web', 'node'] as const)
    watchWorkers<Float64Array | null>({
      owner: kind === 'web' ? globalThis : workerThreads,
      starting(args, file) {
        const told = { thread: (thread + 1) * CHILDREN + ++started, parent: thread, kind, file };
        const isIn = started < CHILDREN && startsTap(args, told, worker?.address ?? null, folder);
        if (!isIn) log.gap('a worker that the recorder could not be put into');
        return isIn && kind === 'node' ? memory.handOver(file) : null;
      },
      started(fields, made, know) {
        memory.handedTo(fields);
        know(made, fields);
      },
      failed: () => memory.handedTo(null),
    });
  watchChildren();
  // Not there before Deno 2.9.
  attempt(() => threads.module.syncBuiltinESMExports());
  // The end of the program, Deno.exit and the end of workers are separate events.
  threads.watchEnd();
  kept.listen(globalThis, 'unload', () => log.end());
}

function posts(): Post[] {
  const lost = channelTo('worker ', 'Worker.postMessage');
  const toWorker = (worker: object): CountedChannel => {
    const known = ports.known(worker);
    if (known != null) return known;
    // Up to Deno 2.8 an import by name cannot be replaced.
    log.gap('a worker that was started by an import of node:worker_threads');
    ports.know(worker, lost, null);
    return lost;
  };
  return [
    // It inherits the function of the global class, if that is there.
    { owner: workerThreads.BroadcastChannel.prototype, to: channelTo(null, 'BroadcastChannel.postMessage') },
    { owner: WebWorker?.prototype, to: toWorker },
    { owner: workerThreads.Worker.prototype, to: toWorker },
  ];
}

function postsToParent({ kind }: WorkerStart, fields: Float64Array): Post[] {
  const isPort = kind === 'node';
  // If the memory is not shared, messages that the parent receives are not counted.
  const queue = fields[HEADER.shared] === 1 ? queueIn(fields, 'up') : null;
  const to = channelTo('parent', isPort ? 'parentPort.postMessage' : 'self.postMessage', queue);
  return [
    { owner: (isPort && workerThreads.parentPort) || undefined, to },
    { owner: globalThis, to },
  ];
}

/**
 * Counts received messages by the steps of Deno's own code, which leaves no frame on the stacks of handlers: it makes
 * an event with own data, then reads dispatchEvent of a port or worker; for the global object of a worker it does not
 * read it. It reads `emit` of a worker of node:worker_threads, first to report that it is online.
 */
function watchReceived(fromParent: Receiver | null): void {
  let isMade = false;
  kept.defineProperty(MessageEvent.prototype, 'data', {
    configurable: true,
    enumerable: false,
    get: () => undefined,
    set(this: object, value: unknown) {
      isMade = true;
      if (fromParent?.fields) fromParent.fields[fromParent.at]!++;
      kept.setData(this, 'data', value);
    },
  });
  onRead(EventTarget.prototype, 'dispatchEvent', (target) => {
    if (!isMade) return;
    isMade = false;
    if (fromParent?.fields) fromParent.fields[fromParent.at]!--;
    ports.arrived(target);
  });
  const online = new kept.Weak<object, true>();
  onRead(workerThreads.Worker.prototype, 'emit', (worker) => {
    if (!kept.isNew(online, worker)) ports.arrived(worker);
  });
}

/** Numbers of threads: each has room for this many workers that it starts. */
const CHILDREN = 65_536;
const ABSOLUTE = /^[a-z][a-z0-9+.-]*:/i;
const PATH = /^\.{0,2}\//;
const LOADED = /^(?:file|data):/;
const STRICT = /^(?:"use strict"|'use strict')/;
const Url = URL;
const encode = encodeURIComponent;
const OWN = __filename;
const dataUrl = (text: string): string => `data:text/javascript,${encode(text)}`;

/**
 * Makes the arguments of a worker start its tap, then the program's code: Deno does not run `--require` in workers.
 * False if that cannot be. @param base address of this worker, for relative addresses of its workers
 */
function startsTap(args: unknown[], told: Omit<WorkerStart, 'address'>, base: string | null, folder: string) {
  const { kind } = told;
  const given = args[0];
  const options = args[1];
  if ((options != null && !kept.canBeRead(options)) || !Number.isSafeInteger(told.thread)) return false;
  const isText = kind === 'node' && kept.fieldOf(options, 'eval') === true;
  const address = isText ? null : absolute(kind, given, base);
  // Runs in modules and scripts, and declares no names.
  const taps = `process.getBuiltinModule("node:module").createRequire("file:///")(${kept.quoted(OWN)}).startWorker(${kept.quoted(folder)},${kept.recordText({ ...told, address })});`;
  if (isText) {
    if (typeof given !== 'string') return false;
    // The tap goes into the first line, so that the lines of the program's code keep their numbers.
    args[0] = `${kept.matches(STRICT, given) ? '"use strict";' : ''}${taps}${given}`;
    return true;
  }
  const type = kind === 'node' ? 'module' : (kept.fieldOf(options, 'type') ?? 'classic');
  // A worker with separate permissions may neither read nor write.
  if (address === null || (kind === 'web' && kept.fieldOf(options, 'deno') !== undefined)) return false;
  if (type !== 'classic' && type !== 'module') return false;
  // Both are imported before either runs: a worker that waits for an import while it runs would get the first messages
  // before its own code listens to them.
  const file = kept.quoted(address);
  const code =
    type === 'module'
      ? `import ${kept.quoted(dataUrl(taps))};import ${file};`
      : `${taps}importScripts(${file});`;
  args[0] = kind === 'node' ? new Url(dataUrl(code)) : dataUrl(code);
  return true;
}

/** The address that Deno would load; null if the tap cannot know it, or Deno refuses it. */
function absolute(kind: WorkerKind, given: unknown, base: string | null): string | null {
  const address = givenAddress(given);
  if (address === null) return null;
  if (kind === 'node' && typeof given === 'string')
    return kept.matches(PATH, given) ? pathToFileURL(resolve(given)).href : null;
  if (kind === 'node') return kept.matches(LOADED, address) ? address : null;
  if (kept.matches(ABSOLUTE, address)) return address;
  return base === null ? null : new Url(address, base).href;
}
