/** Starts the recorder in a document of a page or in a worker, before its own code. `start` returns what ends it. */
import { pageTypes } from '../../../engines/probe/page-types.ts';
import type { PageState } from '../../../model/documents/recorded/recording.ts';
import { orElse } from '../../../model/or-else.ts';
import type { PageTapSettings, PostingApi } from '../../../model/recording/recording.ts';
import { assumedStorage } from '../../../value/describe/inspect/storage.ts';
import { HEADER, THREAD_FIELDS, WAYS } from '../../threads/counters.ts';
import { type CountedChannel, channelTo, sentIn } from '../messages/buckets.ts';
import * as channels from '../messages/channels.ts';
import * as log from '../messages/log.ts';
import * as recorder from '../messages/recorder.ts';
import * as kept from '../realm.ts';

// Messages that leave the page, and when: records as they are, and what was counted as a whole.

type Send = (message: string) => void;

type Place = Pick<PageState, 'kind' | 'file' | 'at'>;

const MAX_ADDRESSES = 64;

const workers = kept.create(null) as Record<string, Float64Array>;

function countsOf(address: string): Float64Array | null {
  if (!workers[address] && kept.keys(workers).length < MAX_ADDRESSES) workers[address] = new Float64Array(2);
  return workers[address] ?? null;
}

let told = '';

function sendState(send: Send, place: Place): void {
  const state: PageState = { ...place, counters: [], workers: [] };
  for (let i = 0; i < kept.counters.length; i++) {
    const value = kept.counters[i]!;
    if (value !== 0 && kept.isFiniteNumber(value)) state.counters[state.counters.length] = [i, value];
  }
  const addresses = kept.keys(workers);
  for (let i = 0; i < addresses.length; i++) {
    const counts = workers[addresses[i]!]!;
    state.workers[i] = [addresses[i]!, counts[0]!, counts[1]!];
  }
  const text = kept.recordText(state);
  if (text !== told) send(text);
  told = text;
}

/** Part of the thread's time for sending at once: milliseconds at the start, and a share. */
const AT_ONCE_MS = 20;
const SHARE = 0.02;
const LATER_MS = 50;

type Scheduler = { postTask(run: () => void, options: { delay: number }): unknown };
const { scheduler, queueMicrotask: atEnd } = globalThis as typeof globalThis & { scheduler: Scheduler };
const postTask = kept.unbound(scheduler.postTask);

/** Sends at the end of the task if that is cheap, else by the scheduler: a page sees the numbers of timers. */
function flusherOf(flush: () => void): () => void {
  const atOnce = kept.governor(kept.now(), AT_ONCE_MS, SHARE);
  let isDue = false;
  const run = () => {
    isDue = false;
    const from = kept.now();
    flush();
    atOnce.spentMs += kept.now() - from;
  };
  return () => {
    if (isDue) return;
    isDue = true;
    if (atOnce.left(kept.now()) > 0) atEnd(run);
    else postTask(scheduler, run, { delay: LATER_MS });
  };
}

interface PageWindow extends Record<number, PageWindow> {
  length: number;
  top: PageWindow | null;
}

const AskEvent = CustomEvent;
type ClassName =
  | ('MessagePort' | 'BroadcastChannel' | 'Worker' | 'SharedWorker')
  | ('ServiceWorker' | 'Client' | 'TrustedScriptURL');
type Globals = Partial<Record<'top' | 'opener', PageWindow | null>> &
  Partial<Record<'window' | 'document' | 'parent', object>> &
  Partial<Record<ClassName, { prototype: object }>> & { origin: string; location: { href: string } };
const globals = globalThis as typeof globalThis & Globals;
const { document, location, origin } = globals;

/** @returns null if it runs already, or cannot */
export function start(settings: PageTapSettings): (() => void) | null {
  const { binding, worker } = settings;
  const found = kept.getOwnPropertyDescriptor(globalThis, binding);
  delete (globalThis as Record<string, unknown>)[binding];
  if (typeof found?.value !== 'function') return null;
  return orElse(() => {
    const end = begin(settings, found.value as Send);
    // The host looks for it among the listeners, and calls it: it is never dispatched.
    if (worker === null) kept.listen(globalThis, binding, end);
    return end;
  }, null);
}

function begin(settings: PageTapSettings, send: Send): () => void {
  // A Proxy cannot be detected, but a posted message does not hold any. The user's page is not started with natives.
  kept.giveEngineTypes(pageTypes(null));
  const { worker, salt } = settings;
  const isDocument = worker === null;
  const own = new Float64Array(THREAD_FIELDS);
  // The number of waiting messages is known only if both ends count in one memory.
  for (const field of [WAYS.down.max, WAYS.up.max]) own[field] = -1;
  const at = Date.now();
  let here = placeOf(worker, at);
  const writeCounters = () => {
    // A window that was opened is blank, and then the document's.
    if (here.file === 'about:blank') here = placeOf(worker, at);
    sendState(send, here);
  };
  const page: kept.TapPlatform = {
    looksAfter: true,
    // No interface of the engine is available in a page.
    engine: () => ({ withStorage: (run) => run(assumedStorage('v8', false)) }),
    ...log.stacks({ fileOf: (file) => log.addressOf(file) }),
    append: send,
    writeCounters,
    onCounted: flusherOf(() => log.flush()),
  };
  kept.giveThread(page, settings, own);
  writeCounters();
  recorder.startedAt(at);
  const end = () => {
    log.add({ record: 'end' });
    log.flush();
  };
  channels.watchPosts(posts(isDocument));
  watchReceived(isDocument);
  watchWorkers();
  if (isDocument) {
    kept.listen(globalThis, salt, answer);
    kept.listen(globalThis, 'pagehide', end, true);
  }
  return end;
}

function placeOf(worker: string | null, at: number): Place {
  if (worker !== null) return { file: log.addressOf(worker), at };
  const kind = globals.parent === globals.window ? 'page' : 'iframe';
  return { kind, file: log.addressOf(globals.location.href), at };
}

function posts(isDocument: boolean): channels.Post[] {
  const toUnknown = channelTo(null, 'Worker.postMessage');
  const up = sentIn(kept.counters, WAYS.up.sent);
  const toWindow = channelTo('self', 'window.postMessage', up);
  const ofDocument = { to: toWindow, transferOf: transferOfWindow, callFor };
  return [
    ...channels.usualPosts(globals.MessagePort?.prototype),
    { owner: globals.BroadcastChannel?.prototype, to: channelTo(null, 'BroadcastChannel.postMessage') },
    ...servicePosts(),
    { owner: globals.Worker?.prototype, to: (worker) => channels.ports.known(worker) ?? toUnknown },
    { owner: globalThis, ...(isDocument ? ofDocument : { to: channelTo('parent', 'self.postMessage', up) }) },
  ];
}

/** (message, origin, list) or (message, options). A list in the place of options lists nothing. */
const transferOfWindow = (args: readonly unknown[]): unknown =>
  args.length > 2 ? args[2] : kept.isArray(args[1]) ? undefined : args[1];

/** Event in which a document asks the others which of them made a list. It has a name that pages do not know. */
interface Asked {
  list: object;
  call: channels.Calls | null;
}

const calls = new kept.Weak<object, channels.Calls>();

/** The document whose code calls is the `source` of a message: the function that calls for us is of that document. */
function callFor(args: unknown[]): channels.Calls {
  const list = kept.getPrototypeOf(args)!;
  if (list === kept.arrayPrototype) return kept.apply;
  const known = kept.weakGet(calls, list);
  if (known !== undefined) return known;
  const asked: Asked = { list, call: null };
  for (const root of [globals.top, globals.opener?.top]) askBelow(root, asked);
  const call: channels.Calls = asked.call ?? kept.apply;
  kept.weakSet(calls, list, call);
  return call;
}

/** Other origins do not have our function. */
function askBelow(at: PageWindow | undefined | null, asked: Asked): void {
  if (!at) return;
  orElse(() => kept.dispatch(at, new AskEvent(kept.settings.salt, { detail: asked })), false);
  for (let i = 0; asked.call === null && i < at.length; i++) askBelow(at[i], asked);
}

const answer = (event: object): void => {
  const asked = (event as { detail: Asked }).detail;
  if (asked.list === kept.arrayPrototype) asked.call = (target, self, args) => kept.apply(target, self, args);
};

/** Returns a function that reads a property of an object by the getter that it inherits; undefined if there is none. */
function readerOf(owner: object | undefined, key: string): (self: unknown) => unknown {
  const get = owner && kept.getOwnPropertyDescriptor(channels.holderOf(owner, key), key)?.get;
  return (self) => get && kept.apply(get, self, []);
}

const serviceScript = readerOf(globals.ServiceWorker?.prototype, 'scriptURL');
const clientPrototype = globals.Client?.prototype;
const clientParts = [
  readerOf(clientPrototype, 'type'),
  readerOf(clientPrototype, 'frameType'),
  readerOf(clientPrototype, 'url'),
];
const CLIENTS: Readonly<Record<string, string>> = { window: 'page', sharedworker: 'shared worker' };

/** All objects that lead to one document or worker share a channel: a service worker gets a client with each message. */
const part = (api: PostingApi, to: string): CountedChannel => channelTo(to, api, null, `${api} ${to}`);

/** Pages post to `navigator.serviceWorker.controller`, service workers to their clients. */
const servicePosts = (): channels.Post[] => [
  {
    owner: globals.ServiceWorker?.prototype,
    to: (worker) =>
      part('ServiceWorker.postMessage', `service worker ${log.addressOf(String(serviceScript(worker)))}`),
  },
  {
    owner: clientPrototype,
    to(client) {
      const [type = '', frame, url = ''] = clientParts.map((read) => String(read(client)));
      const kind = frame === 'nested' ? 'iframe' : (CLIENTS[type] ?? type);
      return part('Client.postMessage', `${kind} ${log.addressOf(url)}`);
    },
  },
];

const originOf = readerOf(MessageEvent.prototype, 'origin');

const FOREIGN = 'Messages from a document of another origin: they are seen when they arrive, not recorded.';

/** None is added if it would change when an object is collected (BroadcastChannel), or a port is started. */
function countAt(target: unknown, count: ((event: object) => void) | null): void {
  const listen = (type: string, unread: 0 | 1) =>
    kept.listen(target, type, (event) => {
      count?.(event);
      kept.counters[HEADER.unread]! += unread;
      kept.platform.onCounted?.();
    });
  if (count !== null) listen('message', 0);
  listen('messageerror', 1);
}

function watchReceived(isDocument: boolean): void {
  // The recorder cannot see the posts of other origins.
  const fromDocuments = (event: object) => {
    if (originOf(event) === origin) kept.counters[WAYS.up.received]!++;
    else log.gapOnce(FOREIGN);
  };
  countAt(globalThis, isDocument ? fromDocuments : () => void kept.counters[WAYS.down.received]!++);
  const heard = new kept.Weak<object, true>();
  const before = (port: unknown) => {
    if (kept.isNew(heard, port as object)) countAt(port, null);
  };
  channels.watch(globals.MessagePort?.prototype, 'onmessage', { kind: 'setter', before });
  channels.watch(globals.MessagePort?.prototype, 'start', { before });
}

const Address = URL;
const hrefOf = kept.getter<string>(URL.prototype, 'href');
const baseUri = readerOf(document, 'baseURI');
const locationHref = readerOf(location, 'href');
const trustedText = globals.TrustedScriptURL?.prototype.toString as (() => string) | undefined;
const portOf = readerOf(globals.SharedWorker?.prototype, 'port');

const base = (): string => (baseUri(document) ?? locationHref(location)) as string;

const textOf = (given: unknown): string =>
  orElse(() => hrefOf(given), null) ?? (kept.apply(trustedText!, given, []) as string);

/** Address of a worker's script as a recording has it; null if reading it would run code of the page. */
const scriptOf = (given: unknown): string | null =>
  orElse(() => {
    const text = typeof given === 'string' ? given : textOf(given);
    return log.addressOf(hrefOf(new Address(text, base())));
  }, null);

function watchWorkers(): void {
  const before = (_receiver: unknown, args: unknown[]) => scriptOf(args[0]);
  channels.watch(globals, 'Worker', {
    ...{ kind: 'class', before },
    after(address, worker) {
      const counts = address === null ? null : countsOf(address);
      const to = address === null ? null : `worker ${address}`;
      channels.ports.know(
        worker as object,
        channelTo(to, 'Worker.postMessage', counts && sentIn(counts, 0)),
        null,
      );
      if (counts !== null) countAt(worker, () => void counts[1]!++);
    },
  });
  channels.watch(globals, 'SharedWorker', {
    ...{ kind: 'class', before },
    after(address, worker) {
      const port = portOf(worker) as object | undefined;
      const to = address === null ? null : `shared worker ${address}`;
      if (port) channels.ports.know(port, channelTo(to, 'MessagePort.postMessage'), null);
    },
  });
  for (const name of ['Worker', 'SharedWorker']) channels.nameConstructor(globals, name);
}
