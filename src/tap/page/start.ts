/**
 * Starts the recorder in a document of a page or in a worker, before its own code. Its script is one expression, whose value
 * is the function that ends the recording there.
 */

import { addressOf } from '../../core/recording/threads/address.ts';
import { HEADER, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';
import {
  OWN_ADDRESS,
  PAGE_MESSAGES,
  type PageStarted,
  type PageTapSettings,
  type SocketTapSettings,
} from '../../model/recording/page-tap.ts';
import { Recorder } from '../messages/recorder.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import { getOwnPropertyDescriptor } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { framesAbove, hasStructured, withStructured } from '../records/frames.ts';
import { recordText } from '../records/record-text.ts';
import { flusherOf } from './flusher.ts';
import { lookAt, refusedInPage, types } from './look.ts';
import { Outbox, type Send } from './outbox.ts';
import { type PageTap, postsTo } from './posts.ts';
import { closeDialogs, type WorkerStarts, workerStarts } from './proxied.ts';
import { countAtPorts, countFromDocuments, countFromParent } from './receipts.ts';
import { watchCalls } from './replace.ts';
import { openSocket } from './socket.ts';
import { framesFromText } from './stack-text.ts';
import { watchWorkers } from './workers.ts';

/** To look at it compiles what looks, which takes longer than a look. */
const FIRST = { list: [1, 'text', { bytes: new Uint8Array(1) }] };

const BLANK = 'about:blank';

const UNSEEN_WORKER =
  'A worker whose script the recorder could not get into: what it posted is not recorded.';

/** No formatter of the page runs. */
const alone = <T>(look: () => T): T | null => (hasStructured ? withStructured(look) : look());

const timeHere = Date.now;

const globals = globalThis as typeof globalThis & {
  window?: object;
  parent?: object;
  origin: string;
  document?: { currentScript?: { remove(): void } | null };
  location: { href: string };
  MessagePort?: { prototype: object };
  BroadcastChannel?: { prototype: object };
  Worker?: { prototype: object };
  ServiceWorker?: { prototype: object };
  Client?: { prototype: object };
};

/** In a browser that is driven. @returns null where it runs already, or cannot */
export function start(settings: PageTapSettings): (() => void) | null {
  const found = getOwnPropertyDescriptor(globalThis, settings.binding);
  delete (globalThis as Record<string, unknown>)[settings.binding];
  if (typeof found?.value !== 'function') return null;
  return orElse(() => {
    const end = begin({ ...settings, engine: 'v8', moved: 0 }, found.value as Send, () => null);
    // The host looks for it among the listeners, and calls it: it is never dispatched.
    if (settings.worker === null) listen(globalThis, settings.binding, end);
    return end;
  }, null);
}

/** In a page that came through the proxy: the first script of a document, or what the script of a worker begins with. */
export function connect(settings: SocketTapSettings): void {
  orElse(() => {
    globals.document?.currentScript?.remove();
    if (settings.isHeadless) closeDialogs();
    let end: (() => void) | null = null;
    const send = openSocket(settings, () => end?.());
    end = begin(settings, send, ({ recorder: { log } }) =>
      workerStarts(settings, send, () => log.gapOnce(UNSEEN_WORKER)),
    );
  }, undefined);
}

type Settings = Omit<PageTapSettings, 'binding'> & Pick<SocketTapSettings, 'engine' | 'moved'>;

/** @param starts what is done besides when a worker is started */
function begin(settings: Settings, send: Send, starts: (tap: PageTap) => WorkerStarts | null): () => void {
  const { worker } = settings;
  const counters = new Float64Array(THREAD_FIELDS);
  // How many messages wait is known only where both ends count in one memory.
  for (const field of [HEADER.downQueueMax, HEADER.upQueueMax]) counters[field] = -1;
  const outbox = new Outbox(send, counters);
  const at = timeHere();
  const introduce = () => {
    const here = whoIsHere(worker);
    send(PAGE_MESSAGES.started + recordText({ ...here, at } satisfies PageStarted));
    return here.file;
  };
  let file = introduce();
  const recorder = new Recorder(platformOf(settings, outbox, file), counters, settings, at);
  const flush = () => {
    // A window that was opened is blank, and then the document's.
    if (file === BLANK) file = introduce();
    recorder.log.flush();
  };
  const flusher = flusherOf(flush);
  const end = () => {
    recorder.log.add({ record: 'end' });
    flush();
  };
  const tap = { recorder, flusher, counters };
  watchAll(tap, outbox, worker === null, starts(tap));
  if (worker === null) listen(globalThis, 'pagehide', end, true);
  return end;
}

/** @param file of the script or document that runs here */
function platformOf(settings: Settings, outbox: Outbox, file: string | null): TapPlatform {
  const { engine, moved } = settings;
  let isLoaded = false;
  const frames = () => {
    const found = framesFromText(addressOf, OWN_ADDRESS);
    for (let i = 0; moved > 0 && i < found.length; i++)
      if (found[i]!.line === 1 && found[i]!.file === file) found[i]!.column -= moved;
    return found;
  };
  return {
    types,
    frames: hasStructured ? (caller) => framesAbove(caller, addressOf) : frames,
    loadLook() {
      if (isLoaded || !builtInsAreIntact()) return;
      isLoaded = true;
      alone(() => lookAt(FIRST, undefined, 10, false, settings).sized(10));
    },
    look: (value, transfer, nodes, stored) =>
      builtInsAreIntact() ? alone(() => lookAt(value, transfer, nodes, stored, settings)) : null,
    refused: (value, transfer, search) =>
      builtInsAreIntact() ? alone(() => refusedInPage(value, transfer, search, engine)) : null,
    append: (lines) => outbox.append(lines),
    writeCounters: () => outbox.writeCounters(),
  };
}

function whoIsHere(worker: string | null): Omit<PageStarted, 'at'> {
  if (worker !== null) return { file: addressOf(worker === '' ? globals.location.href : worker) };
  const kind = globals.parent === globals.window ? 'page' : 'iframe';
  return { kind, file: addressOf(globals.location.href) };
}

function watchAll(tap: PageTap, outbox: Outbox, isDocument: boolean, starts: WorkerStarts | null): void {
  const posts = postsTo(tap);
  posts.ofGlobal('structuredClone', 'structuredClone', null, null);
  posts.ofObjects(globals.MessagePort?.prototype, 'MessagePort.postMessage', HEADER.portsSent);
  posts.ofObjects(globals.BroadcastChannel?.prototype, 'BroadcastChannel.postMessage', null);
  posts.ofObjects(globals.Worker?.prototype, 'Worker.postMessage', null);
  tellServicePosts(tap);
  if (globals.MessagePort) countAtPorts(tap, globals.MessagePort.prototype);
  watchWorkers(posts, tap, (address) => outbox.link(address), starts);
  if (isDocument) {
    posts.ofGlobal('postMessage', 'window.postMessage', 'self', HEADER.upSent);
    countFromDocuments(tap, globals.origin);
  } else {
    posts.ofGlobal('postMessage', 'self.postMessage', 'parent', HEADER.upSent);
    countFromParent(tap);
  }
}

const SERVICE = 'Messages to or from a service worker: they are not recorded, except through ports.';

/** Pages post to `navigator.serviceWorker.controller`, service workers to their clients. */
function tellServicePosts({ recorder, flusher }: PageTap): void {
  for (const name of ['ServiceWorker', 'Client'] as const) {
    const { prototype } = globals[name] ?? {};
    if (prototype === undefined) continue;
    const called = () => {
      recorder.log.gapOnce(SERVICE);
      flusher.due();
    };
    watchCalls(prototype, 'postMessage', { called });
  }
}
