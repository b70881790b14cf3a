import { ELECTRON_CHANNELS } from '../../model/names.ts';
import type { Rule } from '../../model/rules/rule.ts';
import { ANYWHERE, CLONED_ON, IN_PROCESS, VIEW_OF_LARGER } from '../standard/common.ts';

const WRITE_BUFFER = 'V8 src/objects/value-serializer.cc WriteJSArrayBuffer, WriteJSArrayBufferView';

const POOLED_TRANSFER = {
  ...ANYWHERE.note,
  when: { kind: ['typedarray', 'dataview'], all: ['pooled'] },
  title: 'Buffer from the pool in a message with transfers',
  fix: 'List a copy: Uint8Array.from(buffer).buffer.',
  remedies: ['slice-view'],
} as const satisfies Partial<Rule>;

export const buffers = [
  {
    ...ANYWHERE.slow,
    id: 'v8/pooled-buffer',
    when: { kind: ['typedarray', 'dataview'], all: ['view-of-larger', 'pooled'], none: ['shared-backing'] },
    scope: { channels: [...IN_PROCESS, ...ELECTRON_CHANNELS], transferring: false },
    costs: 'degraded',
    title: 'Buffer from the pool',
    why: 'Node allocates small Buffers in a shared pool, and the whole pool is copied with each one: 8 KiB, or 64 KiB from Node 24 on.',
    fix: 'Send Uint8Array.from(buffer), or make it with Buffer.allocUnsafeSlow.',
    remedies: ['slice-view', 'plain'],
    source: `${WRITE_BUFFER}; seen on Node 20-26, Deno 2.9 and Electron 33.2`,
  },
  {
    ...VIEW_OF_LARGER,
    id: 'v8/view-of-larger',
    when: { kind: ['typedarray', 'dataview'], all: ['view-of-larger'], none: ['shared-backing', 'pooled'] },
    scope: { channels: [...CLONED_ON, 'rpc', ...ELECTRON_CHANNELS], transferring: false },
    source: `${WRITE_BUFFER}; seen on Node 20-26, Deno 2.9 and Electron 33.2`,
  },
  {
    ...ANYWHERE.note,
    id: 'v8/copied-buffer',
    when: {
      kind: ['arraybuffer', 'typedarray', 'dataview'],
      none: ['shared-backing', 'detached'],
      bytesFrom: 16_384,
    },
    scope: { channels: IN_PROCESS, transferring: false },
    title: 'large buffer, copied',
    why: 'Without a transfer list the bytes are copied into the message and out of it again.',
    fix: 'List the buffer in the transfer list when the sender no longer needs it, or use a SharedArrayBuffer.',
    remedies: ['transfer', 'share'],
    source: WRITE_BUFFER,
  },
  {
    ...POOLED_TRANSFER,
    id: 'v8/pooled-transfer',
    scope: { channels: IN_PROCESS, transferring: true, runtimes: { node: '>=21.0.0' } },
    why: "The pool itself cannot be transferred: listing this Buffer's memory throws a DataCloneError.",
    source: 'nodejs/node#47604; seen on Node 22-26',
  },
  {
    ...POOLED_TRANSFER,
    id: 'v8/pooled-transfer-copies',
    scope: { channels: IN_PROCESS, transferring: true, runtimes: { node: '<21.0.0' } },
    why: 'Node 20 silently copies the whole pool instead of transferring it.',
    source: 'nodejs/node#47604; seen on Node 20.20',
  },
  {
    ...ANYWHERE.slow,
    id: 'v8/broadcast-large',
    when: { kind: ['string', 'arraybuffer', 'typedarray', 'dataview'], bytesFrom: 1_000_000 },
    scope: { runtimes: { chromium: '*' }, channels: ['broadcast'] },
    costs: 'degraded',
    title: 'megabytes over a BroadcastChannel',
    why: 'Such a message passes through the browser process, which copies it once more each way: 3 to 4 times the time that a Worker takes for the same megabytes.',
    fix: 'Post it to each worker, or over a MessageChannel.',
    source:
      'Chromium third_party/blink/renderer/modules/broadcastchannel; seen on Chromium 156 (37,500 us against 9,280 us for 3 MB in an object)',
  },
] as const satisfies readonly Rule[];
