import type { Rule, RuleBook } from '../../model/rules/rule.ts';
import { ruleTable } from '../../model/rules/rule-table.ts';
import { ANYWHERE, LISTING, SHARED_REFUSED } from './common.ts';
import { json } from './json.ts';
import { errors, lossy } from './lossy.ts';
import { platform } from './platform.ts';
import { platformObjects } from './platform-objects.ts';
import { memory, rejected } from './rejected.ts';
import { database, stored } from './stored.ts';

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
  // Only the refusal by the engine shows it (core/classify/confirm.ts).
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
