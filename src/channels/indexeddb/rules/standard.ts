import { ANYWHERE, SHARED_REFUSED } from '../../../engines/standard/common.ts';
import { formData, OF_PLATFORM, THERE } from '../../../engines/standard/platform.ts';
import { PLATFORM_POSTS } from '../../../engines/standard/platform-posts.ts';
import { type Rule, ruleTable } from '../../../model/rules/rule.ts';

const PUT = {
  ...ANYWHERE.rejected,
  scope: { runtimes: { chromium: '*', firefox: '*', webkit: '*' }, channels: ['indexeddb'] },
  source: 'HTML StructuredSerializeForStorage; seen on Chromium 143, Firefox 153 and WebKitGTK 2.50',
} as const satisfies Partial<Rule>;

/** Values that a database cannot hold, or holds as something else. */
export const database = ruleTable(PUT, {
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
