/**
 * Starts the recorder in a document of a page or in a worker, before its own code. Its script is one expression, whose value
 * is the function that ends the recording there.
 */

import { addressOf } from '../../core/recording/threads/address.ts';
import { HEADER, THREAD_FIELDS } from '../../core/recording/threads/counters.ts';
import { orElse } from '../../model/or-else.ts';
import { PAGE_MESSAGES, type PageStarted, type PageTapSettings } from '../../model/recording/page-tap.ts';
import { giveTypes } from '../../probe/type-detection/type-detection.ts';
import { Recorder } from '../messages/recorder.ts';
import { builtInsAreIntact } from '../realm/intact.ts';
import { getOwnPropertyDescriptor } from '../realm/intrinsics.ts';
import { listen } from '../realm/listen.ts';
import type { TapPlatform } from '../realm/platform.ts';
import { framesAbove, withStructured } from '../records/frames.ts';
import { keptOf } from '../records/kept.ts';
import { recordText } from '../records/record-text.ts';
import { engine, lookAt, refusedInPage, types } from './look.ts';
import { flusherOf, Outbox, type Send } from './outbox.ts';
import { countAtPorts, countFromDocuments, countFromParent, type PageTap, postsTo } from './posts.ts';
import { watchCalls } from './replace.ts';
import { watchWorkers } from './workers.ts';

/** Value of a first look: its compile time is not charged to the first message. */
const FIRST = { list: [1, 'text', { bytes: new Uint8Array(1) }] };

const BLANK = 'about:blank';

const timeHere = Date.now;

const globals = globalThis as typeof globalThis & {
  window?: object;
  parent?: object;
  origin: string;
  location: { href: string };
  MessagePort?: { prototype: object };
  BroadcastChannel?: { prototype: object };
  Worker?: { prototype: object };
  ServiceWorker?: { prototype: object };
  Client?: { prototype: object };
};

/** @returns null if it runs already, or cannot */
export function start(settings: PageTapSettings): (() => void) | null {
  const found = getOwnPropertyDescriptor(globalThis, settings.binding);
  delete (globalThis as Record<string, unknown>)[settings.binding];
  if (typeof found?.value !== 'function') return null;
  return orElse(() => {
    const end = begin(settings, found.value as Send);
    // The host looks for it among the listeners, and calls it: it is never dispatched.
    if (settings.worker === null) listen(globalThis, settings.binding, end);
    return end;
  }, null);
}

function begin(settings: PageTapSettings, send: Send): () => void {
  giveTypes(engine);
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
  const recorder = new Recorder(platformOf(settings, outbox), counters, settings, at);
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
  watchAll(tap, outbox, worker === null);
  if (worker === null) listen(globalThis, 'pagehide', end, true);
  return end;
}

function platformOf(settings: PageTapSettings, outbox: Outbox): TapPlatform {
  let isLoaded = false;
  return {
    types,
    frames: (caller) => framesAbove(caller, addressOf),
    loadLook() {
      if (isLoaded || !builtInsAreIntact()) return;
      isLoaded = true;
      withStructured(() => lookAt(FIRST, undefined, 10, 'all', settings).finish(true));
    },
    look: (value, transfer, nodes, isKept) =>
      builtInsAreIntact()
        ? withStructured(() => lookAt(value, transfer, nodes, isKept ? keptOf(settings) : 'all', settings))
        : null,
    refused: (value, transfer, search) =>
      builtInsAreIntact() ? withStructured(() => refusedInPage(value, transfer, search)) : null,
    append: (lines) => outbox.append(lines),
    writeCounters: () => outbox.writeCounters(),
  };
}

function whoIsHere(worker: string | null): Omit<PageStarted, 'at'> {
  if (worker !== null) return { file: addressOf(worker) };
  const kind = globals.parent === globals.window ? 'page' : 'iframe';
  return { kind, file: addressOf(globals.location.href) };
}

function watchAll(tap: PageTap, outbox: Outbox, isDocument: boolean): void {
  const posts = postsTo(tap);
  posts.ofGlobal('structuredClone', 'structuredClone', null, null);
  posts.ofObjects(globals.MessagePort?.prototype, 'MessagePort.postMessage', HEADER.portsSent);
  posts.ofObjects(globals.BroadcastChannel?.prototype, 'BroadcastChannel.postMessage', null);
  posts.ofObjects(globals.Worker?.prototype, 'Worker.postMessage', null);
  tellServicePosts(tap);
  if (globals.MessagePort) countAtPorts(tap, globals.MessagePort.prototype);
  watchWorkers(posts, tap, (address) => outbox.link(address));
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
