/** Conditions and parts of rows that several engines have in common. */
import { type Channel, channelsWith, JSON_CHANNELS } from '../../model/names.ts';
import type { PathRow, Scope, SharedRow, UnknownRow, When } from '../../model/rules/rule.ts';
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

const SHARING = channelsWith({ cloned: 'within' });
const IN_PROCESS = [...SHARING, ...channelsWith({ cloned: 'beyond' })];

/** Channels that have something in common. */
export const OVER = {
  sharing: SHARING,
  /** Their messages are cloned as those of ports. */
  inProcess: IN_PROCESS,
  /** These, and the database of a page, which keeps values that were cloned by the same steps. */
  cloned: [...IN_PROCESS, 'indexeddb'],
  posted: channelsWith({ toThread: true }),
  listing: channelsWith({ moves: true }),
  /** Of these, channels to another process: its receiver gets a copy of memory, and the sender loses it all the same. */
  copyingListed: channelsWith({ moves: true, elsewhere: true }),
} as const satisfies Readonly<Record<string, readonly Channel[]>>;

/** Since this compatibility date workerd serializes errors by its own steps (flag enhanced_error_serialization). */
export const OWN_ERRORS = { workerd: '>=1.20260421.0' } as const;

/** Scopes of rules about structured clone that hold for copies by Electron's contextBridge too, and of its own rules. */
export const BRIDGE = {
  too: { alsoOver: ['electron-bridge'] },
  alone: { channels: ['electron-bridge'] },
} as const satisfies Readonly<Record<string, Scope>>;

export const ON_V8 = { node: '*', deno: '*', electron: '*', workerd: '*', chromium: '*' } as const;

export const UNCHANGEABLE: readonly Flag[] = ['frozen', 'sealed', 'non-extensible'];

export const VIEW = ['typedarray', 'dataview'] as const;

export const BYTES = {
  shared: [{ kind: 'sharedarraybuffer' }, { kind: VIEW, all: ['shared-backing'] }],
  /** Buffers and views whose memory is copied if they are not in the transfer list. */
  copied: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
} as const satisfies Readonly<Record<string, When | readonly When[]>>;

export const GETTER: When = { kind: ['object', 'array', 'map', 'set'], all: ['enumerable-accessor'] };

/** The serializer of JavaScriptCore, whose functions the sources of rules name. */
export const JSC_SERIALIZER = 'SerializedScriptValue.cpp';
/** The step of the standard that runs a getter. */
export const GETS = 'HTML StructuredSerializeInternal, [[Get]]';

/** Rows of several engines, which some of them complete. */
export const ROW = {
  /** A message that is serialized as JSON, which is the default between processes and in an extension. */
  jsonText: {
    path: 'json',
    costs: 'serialized',
    root: {},
    scope: { channels: JSON_CHANNELS },
    title: 'JSON text',
    why: 'The default serialization of a child process, and of an extension of Chromium, writes JSON text, which the other side parses; what JSON has no notation for is lost.',
    source:
      'Node lib/internal/child_process/serialization.js; Bun src/bun.js/ipc.zig; Deno ext/node/ops/ipc.rs; Chromium extensions/renderer/api/messaging/messaging_util.cc',
  },
  shared: {
    path: 'serializer',
    costs: 'shared',
    root: BYTES.shared,
    title: 'shared memory',
    why: 'Both sides get the same memory; only a reference is sent.',
  },
  transferred: {
    path: 'serializer',
    costs: 'moved',
    scope: { transferring: true, exceptOver: OVER.copyingListed },
    title: 'transferred buffer',
    why: 'The memory of a listed buffer is moved to the receiver; nothing is copied, and the sender can no longer use it.',
  },
  transferredObject: {
    path: 'serializer',
    costs: 'moved',
    root: [
      { kind: 'platform', all: ['transferable'] },
      { kind: 'platform', posted: { by: PLATFORM_POSTS, all: ['moved'] } },
    ],
    scope: { transferring: true },
    title: 'transferred object',
    why: 'A port, stream or canvas is moved to the receiver.',
  },
  /** The last row of each engine. */
  serializer: { path: 'serializer', costs: 'serialized', root: {}, title: 'serializer' },
  memory: {
    at: 'any',
    when: BYTES.shared,
    source: `HTML StructuredSerializeInternal; ${JSC_SERIALIZER} dumpSharedArrayBuffer`,
  },
  /** Objects whose pixels, samples or encoded data both sides use: frames and chunks are counted references. */
  platformShared: {
    at: 'any',
    when: { kind: 'platform' },
    scope: { channels: SHARING },
    source:
      'WebCodecs, (de)serialization steps: "a reference to the media resource"; seen on Chromium 143, Firefox 153 and WebKitGTK 2.50: 3 us whatever its size',
  },
  /** The result of a getter, or its error, is not known before it runs. */
  getterResult: {
    what: 'getter-result',
    at: 'any',
    when: GETTER,
    on: ['serializer'],
    otherwise: { path: 'rejected', class: 'rejected', rule: null },
  },
} as const satisfies Readonly<Record<string, Partial<PathRow | SharedRow | UnknownRow>>>;
