import { type Rule, type RuleBook, ruleTable } from '../../model/rules/rule.ts';
import { ANYWHERE, LISTING, SHARED_REFUSED } from './common.ts';
import { json } from './json.ts';
import { errors, lossy } from './lossy.ts';
import { formData, platform } from './platform.ts';
import { EMPTIED_THERE, OF_PLATFORM, platformObjects, THERE } from './platform-objects.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';
import { memory, rejected } from './rejected.ts';

// Platform objects that are written into a file.

const BLOBS: readonly string[] = ['Blob', 'File'];

const STORED = {
  ...ANYWHERE.rejected,
  scope: { channels: ['storage'] },
  fix: 'Write its data: await blob.bytes(), await crypto.subtle.exportKey(format, key), name and message.',
  source: 'seen on Node 20.20 to 26.10, Bun 1.2.20 to 1.4.5, Deno 2.5 to 2.9.6',
} as const satisfies Partial<Rule>;

const stored = ruleTable(STORED, {
  'spec/stored-refused': {
    when: { ...THERE, posted: { by: PLATFORM_POSTS, all: ['refused'] } },
    title: 'platform object that cannot be written',
    why: 'It has no form outside of the program: v8.serialize throws for it.',
  },
  'spec/stored-unreadable': {
    when: { ...THERE, notTag: BLOBS, posted: { by: PLATFORM_POSTS, all: ['lost'] } },
    title: 'platform object that cannot be read back',
    why: 'Writing it does not throw; v8.deserialize then throws, and nothing of the file can be read.',
  },
  'spec/stored-blob-unreadable': {
    at: 'nested',
    when: { ...THERE, tag: BLOBS, posted: { by: PLATFORM_POSTS, all: ['lost'] } },
    title: 'blob inside a value that cannot be read back',
    why: 'Up to Bun 1.2.21 writing it does not throw; v8.deserialize then throws, and nothing of the file can be read. A Blob alone is read back.',
  },
  'spec/stored-emptied': {
    ...ANYWHERE.lossy,
    when: EMPTIED_THERE,
    loses: ['class', 'property', 'getter'],
    title: 'platform object that is written empty',
    why: 'Its internal state is unknown to v8.serialize: {} is read back, without an error.',
    remedies: ['plain'],
  },
  'spec/stored-as-error': {
    ...ANYWHERE.losesClass,
    when: { ...OF_PLATFORM, posted: { by: PLATFORM_POSTS, all: ['other-class'] } },
    title: 'error of the platform',
    why: 'A plain Error is read back, without its name and code.',
  },
});

const PUT = {
  ...ANYWHERE.rejected,
  scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' }, channels: ['indexeddb'] },
  source: 'HTML StructuredSerializeForStorage; seen on Chromium 143, Firefox 153 and WebKitGTK 2.50',
} as const satisfies Partial<Rule>;

const database = ruleTable(PUT, {
  'spec/shared-to-database': {
    ...SHARED_REFUSED,
    title: 'SharedArrayBuffer into a database',
    why: 'Shared memory has no form outside of the program: put throws a DataCloneError, also for a view on it, where postMessage shares it.',
    fix: 'Put a copy of the bytes: new Uint8Array(shared).slice().',
  },
  'spec/database-refused': {
    when: [
      { ...THERE, posted: { by: PLATFORM_POSTS, all: ['refused'] } },
      { ...OF_PLATFORM, posted: { by: PLATFORM_POSTS, all: ['refused'] } },
    ],
    title: 'platform object that cannot be stored',
    why: 'Code of WebAssembly, frames, samples, encoded chunks, tracks, ports, streams and canvases live in memory alone, also where they can be posted: put throws a DataCloneError. Firefox stores no ImageBitmap either.',
    fix: 'Put its data: the bytes of the code, a Blob of the pixels or of the encoded chunk.',
  },
  'spec/database-identity': {
    ...ANYWHERE.lossy,
    when: { ...THERE, all: ['repeated'], posted: { by: PLATFORM_POSTS, all: ['apart'] } },
    scope: { runtimes: { webkit: '*' }, channels: ['indexeddb'] },
    loses: 'value',
    title: 'platform object that is stored twice',
    why: 'Each reference to it is read back as an object of its own.',
    fix: 'Put it once and refer to it by a key.',
  },
  'spec/form-data-to-database': {
    when: formData,
    scope: { runtimes: { firefox: '*' }, channels: ['indexeddb'] },
    title: 'FormData into a database',
    why: 'Firefox posts FormData, but does not store it: put throws a DataCloneError.',
    fix: 'Put its entries: [...form].',
    remedies: ['plain'],
  },
  'spec/bytes-to-database': {
    ...ANYWHERE.note,
    when: {
      kind: ['arraybuffer', 'typedarray', 'dataview'],
      none: ['shared-backing', 'detached'],
      bytesFrom: 100_000,
    },
    title: 'many bytes in a record',
    why: 'The bytes are copied by put while the thread waits, and by reading the record. A Blob is put by reference, is written by another process, and is read when it is needed.',
    fix: 'Put new Blob([bytes]), and read it by await blob.arrayBuffer().',
    remedies: ['blob'],
    source:
      'seen on Chromium 143 (12 ms against 0.2 ms until put returns, 4 MiB), Firefox 153 (11 ms against 0.04 ms); making the Blob took 7 ms and 5 ms more',
  },
});

// Messages between a page and its service worker, which may run in another process.

const CHANNELS = ['service-worker'] as const;
const SEEN = 'seen on Chromium 143, Firefox 153 and WebKitGTK 2.50';

const serviceWorker = ruleTable(ANYWHERE.slow, {
  'spec/shared-to-service-worker': {
    ...SHARED_REFUSED,
    scope: { channels: CHANNELS },
    title: 'shared memory to a service worker',
    why: 'A service worker is of another agent cluster: the post does not throw, and the worker gets an event messageerror in place of the message.',
    source: `HTML StructuredDeserialize, "agent cluster"; ${SEEN}`,
  },
  'spec/transfer-to-service-worker': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
    scope: { runtimes: { chromium: '*', firefox: '*' }, channels: CHANNELS, transferring: true },
    title: 'transfer to a service worker',
    why: 'The worker may run in another process, so the bytes of a transferred buffer are copied, in the time that they take without the list, and the sender loses it all the same.',
    fix: 'Leave the buffer out of the list, or post a Blob, whose bytes are read where they are needed.',
    source:
      'seen on Chromium 143 and Firefox 153 (8 MB: 115 ms listed and 108 ms not, 207 ms and 202 ms; 1 ms to a Worker)',
  },
});

const LISTED = {
  ...ANYWHERE.rejected,
  // Only the refusal by the engine shows it (engines/classify/confirm.ts).
  when: [],
  scope: { transferring: true, channels: LISTING },
  source: 'HTML StructuredSerializeWithTransfer; seen on Node 22-26, Deno 2.9, Bun 1.4.5',
} as const satisfies Partial<Rule>;

const WEB = { bun: '*', chromium: '*', firefox: '*', webkit: '*' } as const;
/** Runtimes that refuse a buffer that they cannot detach. Node 20 copies it silently. */
const DETACHING = { ...WEB, node: '>=21.0.0', deno: '*' } as const;

/** Entries of a transfer list that make the engine refuse the whole post. */
const listed = ruleTable(LISTED, {
  'spec/listed-shared': {
    title: 'shared memory in the transfer list',
    why: 'Shared memory is not moved: both sides have it, and postMessage throws if it is listed.',
    fix: 'Leave it out of the transfer list.',
  },
  'spec/listed-detached': {
    // workerd accepts it, as Node 20 does.
    scope: { ...LISTED.scope, runtimes: DETACHING },
    title: 'detached buffer in the transfer list',
    why: 'Its memory was moved before: there is nothing left to move.',
    fix: 'Build a new buffer for each message, or keep a copy.',
  },
  'spec/listed-twice': {
    // Workers of Deno accept it.
    scope: { ...LISTED.scope, runtimes: { ...WEB, node: '*' } },
    title: 'listed twice in the transfer list',
    why: 'Each object is moved once, and the list has it twice: two views of one buffer do that.',
    fix: 'List each buffer once: [...new Set(list)].',
  },
  'spec/listed-fixed': {
    scope: { ...LISTED.scope, runtimes: { ...DETACHING, workerd: '*' } },
    title: 'memory that cannot be moved in the transfer list',
    why: 'The engine does not detach it: memory of WebAssembly, the pool of small Buffers, what markAsUntransferable marked.',
    fix: 'Post a copy: copy = new Uint8Array(view), and list copy.buffer.',
  },
  'spec/listed-other': {
    title: 'object that cannot be moved in the transfer list',
    why: 'Buffers, ports and streams are moved; a view is listed by its buffer.',
    fix: 'List view.buffer in place of the view, and leave out all else.',
  },
});

/**
 * Rules that the HTML standard fixes for every engine. The book is named `spec`, and so are its rule ids
 * (`spec/function`): they are stored in reports and baselines.
 */
export const standard: RuleBook = {
  name: 'spec',
  rules: [
    ...rejected,
    ...listed,
    ...platform,
    ...platformObjects,
    ...lossy,
    ...memory,
    ...errors,
    ...json,
    ...stored,
    ...database,
    ...serviceWorker,
  ],
};
