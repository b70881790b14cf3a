/** Conditions and parts of rows that several engines have in common. */
import { type Channel, channelsWith, JSON_CHANNELS } from '../../model/names.ts';
import type { PathRow, Scope, SharedRow, When } from '../../model/rules/rule.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { PLATFORM_POSTS } from './platform-posts.ts';

export const ANYWHERE = {
  rejected: { level: 'rejected', at: 'any' },
  lossy: { level: 'lossy', at: 'any' },
  losesValue: { level: 'lossy', at: 'any', loses: 'value' },
  losesClass: { level: 'lossy', at: 'any', loses: 'class' },
  slow: { level: 'slow', at: 'any' },
  degraded: { level: 'slow', at: 'any', costs: 'degraded' },
  note: { level: 'note', at: 'any' },
} as const;

export const AT_ROOT = {
  rejected: { level: 'rejected', at: 'root' },
  slow: { level: 'slow', at: 'root' },
  note: { level: 'note', at: 'root' },
} as const;

export const SHARING_CHANNELS = channelsWith({ cloned: 'within' });

/** Channels whose messages are cloned as those of ports. */
export const IN_PROCESS: readonly Channel[] = [...SHARING_CHANNELS, ...channelsWith({ cloned: 'beyond' })];

/** IN_PROCESS, and the database of a page, which keeps values that were cloned by the same steps. */
export const CLONED_ON: readonly Channel[] = [...IN_PROCESS, 'indexeddb'];

export const POSTED = channelsWith({ toThread: true });

export const LISTING = channelsWith({ moves: true });

/** Of these, channels to another process: its receiver gets a copy of memory, and the sender loses it all the same. */
export const COPYING_LISTED = channelsWith({ moves: true, elsewhere: true });

/** Since this compatibility date workerd serializes errors by its own steps (flag enhanced_error_serialization). */
export const OWN_ERRORS = { workerd: '>=1.20260421.0' } as const;

/** Scope of rules about structured clone that hold for copies by Electron's contextBridge, too. */
export const ON_BRIDGE_TOO = { alsoOver: ['electron-bridge'] } as const satisfies Scope;
export const ON_BRIDGE_ALONE = { channels: ['electron-bridge'] } as const satisfies Scope;

export const ON_V8 = { node: '*', deno: '*', electron: '*', workerd: '*', chromium: '*' } as const;

export const UNCHANGEABLE: readonly Flag[] = ['frozen', 'sealed', 'non-extensible'];

export const VIEW = ['typedarray', 'dataview'] as const;

export const SHARED_MEMORY: readonly When[] = [
  { kind: 'sharedarraybuffer' },
  { kind: VIEW, all: ['shared-backing'] },
];

/** Objects whose pixels, samples or encoded data both sides use: frames and chunks are counted references. */
export const PLATFORM_SHARED = {
  at: 'any',
  when: { kind: 'platform' },
  scope: { channels: SHARING_CHANNELS },
  source:
    'WebCodecs, (de)serialization steps: "a reference to the media resource"; seen on Chromium 143, Firefox 153 and WebKitGTK 2.50: 3 us whatever its size',
} as const satisfies SharedRow;

export const TRANSFERABLE_OBJECT: readonly When[] = [
  { kind: 'platform', all: ['transferable'] },
  { kind: 'platform', posted: { by: PLATFORM_POSTS, all: ['moved'] } },
];

export const GETTER: When = { kind: ['object', 'array', 'map', 'set'], all: ['enumerable-accessor'] };

export const MEMORY = {
  at: 'any',
  when: SHARED_MEMORY,
  source: 'HTML StructuredSerializeInternal; SerializedScriptValue.cpp dumpSharedArrayBuffer',
} as const satisfies SharedRow;

export const SHARED = {
  path: 'serializer',
  costs: 'shared',
  root: SHARED_MEMORY,
  title: 'shared memory',
  why: 'Both sides get the same memory; only a reference is sent.',
} as const satisfies Partial<PathRow>;

/** A message that is serialized as JSON, which is the default between processes and in an extension. */
export const JSON_TEXT = {
  path: 'json',
  costs: 'serialized',
  root: {},
  scope: { channels: JSON_CHANNELS },
  title: 'JSON text',
  why: 'The default serialization of a child process, and of an extension of Chromium, writes JSON text, which the other side parses; what JSON has no notation for is lost.',
  source:
    'Node lib/internal/child_process/serialization.js; Bun src/bun.js/ipc.zig; Deno ext/node/ops/ipc.rs; Chromium extensions/renderer/api/messaging/messaging_util.cc',
} as const satisfies PathRow;

export const TRANSFERRED = {
  path: 'serializer',
  costs: 'moved',
  scope: { transferring: true, exceptOver: COPYING_LISTED },
  title: 'transferred buffer',
  why: 'The memory of a listed buffer is moved to the receiver; nothing is copied, and the sender can no longer use it.',
} as const satisfies Partial<PathRow>;

export const TRANSFERRED_OBJECT = {
  path: 'serializer',
  costs: 'moved',
  root: TRANSFERABLE_OBJECT,
  scope: { transferring: true },
  title: 'transferred object',
  why: 'A port, stream or canvas is moved to the receiver.',
} as const satisfies Partial<PathRow>;

/** The last row of each engine. */
export const SERIALIZER = {
  path: 'serializer',
  costs: 'serialized',
  root: {},
  title: 'serializer',
} as const satisfies Partial<PathRow>;

/** Buffers and views whose memory is copied if they are not in the transfer list. */
export const COPIED_BYTES = {
  kind: ['arraybuffer', 'typedarray', 'dataview'],
  none: ['shared-backing'],
} as const satisfies When;

/** The result of a getter, or its error, is not known before it runs. */
export const GETTER_RESULT = {
  what: 'getter-result',
  at: 'any',
  when: GETTER,
  otherwise: { path: 'rejected', class: 'rejected', rule: null },
} as const;
