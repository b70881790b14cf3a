/**
 * A shape is the result of `describe`: flat, plain, JSON-safe facts, grouped so that 100 MB give a small shape. Values
 * in one row have the same pattern, parent, kind and flags, so a rule that needs several of these is answered exactly.
 */

/** Values without identity that every engine clones. */
export const PRIMITIVE_KINDS = ['undefined', 'null', 'boolean', 'number', 'bigint', 'string'] as const;

/** Values that no engine clones. */
export const REFUSED_KINDS = [
  'symbol',
  'function',
  'proxy',
  'promise',
  'weakmap',
  'weakset',
  'weakref',
  'generator',
  'iterator', // iterators of Map, Set and others
  'module-namespace',
  'not-cloneable', // any other object the platform refuses; `tag` of the row names it (FinalizationRegistry, Intl.*, Temporal.*, Request, ...)
] as const;

/** Memory and views on it, Node's Buffer included. */
export const BUFFER_KINDS = ['arraybuffer', 'sharedarraybuffer', 'typedarray', 'dataview'] as const;

/** Type of a value by its internal slots, never by tag or instanceof. */
export const KINDS = [
  ...PRIMITIVE_KINDS,
  ...REFUSED_KINDS,
  // cloneable objects
  'object', // ordinary object, class instances included
  'arguments',
  'array',
  'date',
  'regexp',
  'map',
  'set',
  'error',
  'boxed', // new Number(1), Object('s'), Object(1n)
  ...BUFFER_KINDS,
  'platform', // a platform object with its own clone or transfer steps: MessagePort, Blob, CryptoKey, KeyObject, streams; `tag` names it
] as const;
export type Kind = (typeof KINDS)[number];

/** Tags of a Proxy whose target is callable or an array. */
export const PROXY_OF_FUNCTION = 'Proxy of a function';
export const PROXY_OF_ARRAY = 'Proxy of an array';

/** Flags by what has them. Shapes have flags in the order of these lists. */
export const FLAGS_OF = {
  /** What plain JavaScript can see of a string. */
  string: [
    'units-over-128', // > 128 code units: leaves Deno's scalar codec
    'units-from-256', // >= 256 code units: Bun shares instead of copying
    'bytes-from-514', // >= 514 bytes as stored: SpiderMonkey string buffers
    'lone-surrogate',
    'repeated', // the same text (>= 64 units) was already seen elsewhere in this payload (best effort)
  ],
  number: [
    ...(['int32', 'double', 'nan', 'negative-zero', 'infinite', 'beyond-smi31'] as const),
    'int64', // an integer that is not safe, and fits into 64 bits
  ],
  bigint: ['to-json'],
  /** Flags, visible to plain JavaScript, of all kinds except strings, numbers, BigInts and buffers. */
  structure: [
    'empty',
    'class-instance', // object: the prototype is neither Object.prototype (of any realm) nor null
    'web-object', // object: its class belongs to the platform, but this runtime clones it like a class of the user
    'null-prototype',
    'other-realm',
    'subclass', // array: the prototype is not Array.prototype (of any realm)
    'accessor', // at least one own getter or setter
    'enumerable-accessor', // an accessor that cloning runs: it is enumerable, or an element in JSC
    'non-enumerable',
    'non-configurable',
    'read-only',
    'symbol-key',
    'indexed-key', // object: an own integer-like key 0..2^32-2
    'proto-key', // an own property called __proto__
    'named-props', // array: own string keys that are not indices
    'holes', // array: at least one absent index below length
    'to-json', // has a toJSON method, own or inherited
    'non-extensible',
    'sealed',
    'frozen',
    'repeated', // the walk visited this object before: a shared reference
    'cycle', // the object contains itself, directly or deeper
    'array-cycle', // array: it contains itself, and all on the way are elements of arrays
    'collection-cycle', // the way leads into a Map or Set, and the object is neither this nor in one
    'extra-props',
    'aggregate',
    'has-cause',
    'transferable',
    'sent-fixed', // not frozen: some sent property is read-only, not configurable or (an element in JSC) not enumerable
    'altered-slot', // RegExp: lastIndex is not 0; error: message is not a string
    'after-bigint', // first visited after a BigInt
  ],
  error: [
    'cause-not-text',
    'beyond-ascii', // DOMException: its name or message has characters beyond ASCII
    'lone-surrogate', // DOMException: its name or message has one
  ],
  buffer: [
    'empty',
    'view-of-larger', // typed array or DataView whose buffer is larger than the view
    'pooled', // Node's Buffer pool
    'node-buffer',
    'detached',
    'resizable',
    'length-tracking',
    'untransferable', // marked as untransferable; Node's Buffer pool, which is marked too, has its own flag
    'out-of-bounds', // a view whose resizable buffer has shrunk below its end
    'shared-backing', // view on a SharedArrayBuffer
    'wasm-memory',
    'subclass',
    'extra-props', // views of more than 1,024 bytes are not searched for them
    'repeated',
    'cycle',
    'non-extensible',
    'after-bigint', // it, or the buffer behind it, was first visited after a BigInt
    'to-json', // it has a toJSON method that not every Buffer has; an array of BigInts: or these have
  ],
  stored: [
    'one-byte', // string stored as Latin-1 (reported by V8; other engines: derived from the content)
    'two-byte', // stored as UTF-16
    'ascii-in-two-byte', // two-byte storage, although every unit is <= 0xFF
    'rope', // a string that is not flattened yet (V8 cons, JSC rope)
    'substring', // a view on another string (V8 sliced, JSC BufferSubstring)
    'atom', // interned (JSC atom, V8 internalized)
    'share-unknown', // JSC: it is unknown if the buffer can be shared
    'dictionary', // V8: dictionary-mode properties
    'dictionary-unknown', // V8: the engine was not queried, and nothing else shows a deleted property
    'history-unknown', // JSC: a deleted property shows in a clone alone
    'uncacheable-dictionary', // JSC
    'poly-proto', // JSC: it stores its prototype, because one piece of code made such objects with several prototypes
    'indexed-storage', // JSC: structure mode is not exactly NonArray
    'hidden-state', // JSC: delete history or #private members, which only the clone oracle shows
    // V8 elements kinds
    'packed-smi',
    'packed-double',
    'packed-elements',
    'holey-kind', // HOLEY_* although every index may be filled
    'dictionary-elements',
    'not-fast-elements', // frozen/sealed/non-extensible kinds: sparse path
    // JSC indexing types, copy-on-write stripped
    'undecided',
    'int32-storage',
    'double-storage',
    'contiguous',
    'array-storage',
    'slow-put',
    'storage-unknown', // JSC: the engine was not queried, and only it knows the history of the array
    'named-props-history', // maxOffset is valid, although all named properties are gone
    'prototype-indexed', // holesMustForwardToPrototype
    'vacuously-frozen', // JSC: an empty, non-extensible object, which the standard calls frozen and JSC does not
  ],
} as const;
export type Flag = (typeof FLAGS_OF)[keyof typeof FLAGS_OF][number];

export const REPRESENTATION_SOURCES = ['v8-natives', 'v8-tags', 'bun-jsc', 'assumed'] as const;
