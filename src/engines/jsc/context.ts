import type { Rule } from '../../model/rules/rule.ts';
import { IN_PROCESS } from '../standard/common.ts';
import { EVERY_FAST_PATH, SINCE } from './fast-paths.ts';

const SERIALIZED = { level: 'slow', at: 'root', blocks: EVERY_FAST_PATH } as const satisfies Partial<Rule>;

const GATE =
  'SerializedScriptValue.cpp, gate before the fast paths (oven-sh/bun#21926); seen on Bun 1.2.21-1.4.5';

/** Rules that keep every value off the fast paths, because of the channel or of a transfer list. */
export const context = [
  {
    ...SERIALIZED,
    id: 'jsc/transfer-list',
    when: { kind: ['string', 'object', 'array'] },
    scope: { transferring: true, channels: IN_PROCESS, runtimes: SINCE.strings },
    title: 'message with a transfer list',
    why: 'A non-empty transfer list sends the whole message through the serializer, whatever the value is.',
    fix: 'Post the buffers in a separate message, and the rest without a transfer list.',
    source: GATE,
  },
  {
    ...SERIALIZED,
    id: 'jsc/cross-process',
    when: { kind: ['string', 'object', 'array'] },
    scope: { channels: ['ipc-advanced'] },
    title: 'message to another process',
    why: 'Between processes memory can neither be shared nor moved, so every message is serialized.',
    fix: 'Use a Worker where the data is large; between processes send less of it.',
    remedies: ['compiled'],
    source: 'SerializedScriptValue.cpp forCrossProcessTransfer (oven-sh/bun#21926); seen on Bun 1.4.5',
  },
  {
    ...SERIALIZED,
    id: 'jsc/string-too-early',
    when: { kind: 'string' },
    scope: { runtimes: { bun: '<1.2.21' }, channels: IN_PROCESS },
    title: 'no fast path for strings in this version',
    why: 'Strings are serialized up to Bun 1.2.20; from 1.2.21 they are shared or copied once.',
    fix: 'Use Bun 1.2.21 or later.',
    source: 'oven-sh/bun#21926, first in 1.2.21; seen on Bun 1.2.20 and 1.2.21',
  },
  {
    ...SERIALIZED,
    id: 'jsc/object-too-early',
    when: { kind: 'object' },
    scope: { runtimes: { bun: '<1.2.22' }, channels: IN_PROCESS },
    title: 'no fast path for objects in this version',
    why: 'Objects are serialized up to Bun 1.2.21; from 1.2.22 a flat one is handed over in memory.',
    fix: 'Use Bun 1.2.22 or later.',
    remedies: ['json-text', 'unwrap-string'],
    source: 'oven-sh/bun#22279, first in 1.2.22; seen on Bun 1.2.21 and 1.2.22',
  },
  {
    ...SERIALIZED,
    id: 'jsc/array-too-early',
    when: { kind: 'array' },
    scope: { runtimes: { bun: '<1.3.10' }, channels: IN_PROCESS },
    title: 'no fast path for arrays in this version',
    why: 'Arrays are serialized up to Bun 1.3.9; from 1.3.10 dense ones of primitives and flat objects are not.',
    fix: 'Use Bun 1.3.10 or later.',
    remedies: ['json-text', 'typed-array'],
    source: 'oven-sh/bun#26814 and #26818, first in 1.3.10; seen on Bun 1.3.9 and 1.3.10',
  },
  {
    id: 'jsc/bare-primitive',
    level: 'note',
    at: 'root',
    when: { kind: ['undefined', 'null', 'boolean', 'number', 'bigint'] },
    title: 'bare primitive',
    why: 'A number, boolean, null, undefined or BigInt as the message itself has no fast path; it is small, so the round trip costs more than cloning.',
    fix: 'Send several in one message.',
    source: 'oven-sh/bun#36591 (open); seen on Bun 1.2.20-1.4.5',
  },
  {
    id: 'jsc/exotic-root',
    level: 'slow',
    at: 'root',
    when: { kind: ['map', 'set', 'date', 'regexp', 'error', 'boxed'] },
    scope: { channels: IN_PROCESS, runtimes: SINCE.objects },
    title: 'not a plain object or array',
    why: 'Map, Set, Date, RegExp, Error and boxed values have no fast path in any version.',
    fix: 'Send a flat object or an array of flat objects and rebuild on the receiver.',
    remedies: ['plain', 'json-text'],
    source: 'SerializedScriptValue.cpp isObjectFastPathCandidate; seen on Bun 1.2.20-1.4.5',
  },
  {
    id: 'jsc/binary-root',
    level: 'note',
    at: 'root',
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
    scope: { transferring: false },
    title: 'binary data, copied',
    why: 'Buffers and their views have no fast path in any version: the bytes go through the serializer.',
    fix: 'List the buffer in the transfer list when the sender no longer needs it, or use a SharedArrayBuffer.',
    remedies: ['transfer', 'share'],
    source: 'oven-sh/bun#26991 (closed, not merged); seen on Bun 1.2.20-1.4.5',
  },
] as const satisfies readonly Rule[];
