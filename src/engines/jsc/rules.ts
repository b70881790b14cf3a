/** Rules of Bun: what keeps values off its fast paths, and what its serializer costs, refuses and loses. */
import type { PathName } from '../../model/names.ts';
import { type Rule, type RulePosition, ruleTable } from '../../model/rules/rule.ts';
import { BUFFER_KINDS, type Kind } from '../../model/vocabulary/shape.ts';
import { ANYWHERE, AT_ROOT, JSC_SERIALIZER, OVER, UNCHANGEABLE, VIEW } from '../standard/row-parts.ts';

const POSTED_HERE = { channels: OVER.inProcess, transferring: false } as const;
/**
 * Scopes of the fast paths, with the first version that has one for such roots: rules that block a path for strings,
 * objects or arrays have no effect outside them.
 */
export const FAST = {
  strings: { runtimes: { bun: '>=1.2.21' }, ...POSTED_HERE },
  objects: { runtimes: { bun: '>=1.2.22' }, ...POSTED_HERE },
  arrays: { runtimes: { bun: '>=1.3.10' }, ...POSTED_HERE },
} as const;

export const ARRAY_PATHS: readonly PathName[] = [
  'int32-array',
  'double-array',
  'simple-array',
  'dense-array',
];
const EVERY_FAST_PATH: readonly PathName[] = [
  'string-shared',
  'string-copied',
  'simple-object',
  ...ARRAY_PATHS,
];

/** Objects that are neither plain objects nor arrays. */
const OTHERS = ['date', 'regexp', 'map', 'set', 'error', 'boxed', 'platform'] as const;
const EXOTIC_KINDS: readonly Kind[] = [...OTHERS, ...BUFFER_KINDS];

export const OBJECT_TEST = `${JSC_SERIALIZER} isObjectFastPathCandidate (oven-sh/bun#22279); seen on Bun 1.2.22-1.4.5`;
export const ARRAY_BLOCK = `${JSC_SERIALIZER}, array block (oven-sh/bun#26814, #26818); seen on Bun 1.3.10-1.4.5`;

/** The object test runs on a root object and on each object directly inside a root array. */
const OFF_FAST_PATH = {
  level: 'slow',
  at: ['root', 'element'],
  scope: FAST.objects,
  blocks: ['simple-object', 'dense-array'],
  fix: 'Send a copy: { ...value }.',
  remedies: ['rebuild'],
  source: OBJECT_TEST,
} as const satisfies Partial<Rule>;

const object = ruleTable(OFF_FAST_PATH, {
  'jsc/odd-property': {
    when: [
      { kind: 'object', any: ['accessor', 'non-enumerable', 'symbol-key'] },
      { kind: 'object', all: ['non-configurable'], none: ['frozen', 'sealed'] },
    ],
    title: 'getter, symbol key, hidden or fixed property',
    why: 'One own getter or setter, symbol key, or property that is not enumerable or not configurable keeps the object off the fast path, also if it is made ordinary later.',
  },
  'jsc/indexed-key': {
    when: { kind: 'object', all: ['indexed-key'] },
    title: 'integer-like key',
    why: 'A key such as "0" or "17" is stored as an element, not as a property, and keeps the object off the fast path.',
    fix: 'Give such keys a prefix ("id17"), or send an array of entries.',
    remedies: ['json-text', 'compiled'],
  },
  'jsc/indexed-storage': {
    when: [
      { kind: 'object', all: ['indexed-storage'], none: ['indexed-key', 'frozen', 'sealed'] },
      { kind: 'object', all: ['indexed-storage', 'vacuously-frozen'] },
    ],
    title: 'storage of a deleted integer-like key',
    why: 'An object that once had an integer-like key stays off the fast path after the key is deleted.',
  },
  'jsc/frozen-object': {
    when: [
      { kind: 'object', all: ['frozen'], none: ['vacuously-frozen'] },
      { kind: 'object', all: ['sealed'], none: ['frozen'] },
    ],
    also: [
      {
        when: { kind: 'object', all: ['non-extensible'], none: ['frozen', 'sealed'] },
        scope: { ...FAST.objects, runtimes: { bun: '>=1.2.22 <1.4.0' } },
      },
    ],
    title: 'frozen, sealed or non-extensible object',
    why: 'A frozen or sealed object is off the fast path, up to Bun 1.3 a non-extensible one too; the receiver gets an ordinary copy anyway.',
    source: `${OBJECT_TEST}; non-extensible on Bun 1.2.22-1.3.14 (slow) and 1.4.0-1.4.5 (fast)`,
  },
  'jsc/poly-proto': {
    when: { kind: 'object', all: ['poly-proto'] },
    title: 'class that is defined anew',
    why: 'The class of these objects was defined several times by the same code, as in a function that is called for each of them. From the third on JavaScriptCore keeps the prototype in the object, and such objects have no fast path.',
    fix: 'Define the class once, outside of the function that makes the objects.',
    remedies: ['plain'],
    source: 'JavaScriptCore runtime/JSFunction.cpp, ObjectAllocationProfile; seen on Bun 1.3.14 and 1.4.5',
  },
  'jsc/hidden-state': {
    when: [
      { kind: 'object', all: ['hidden-state'] },
      { kind: 'object', all: ['uncacheable-dictionary'], none: ['accessor', 'frozen', 'sealed'] },
      { kind: 'object', all: ['uncacheable-dictionary', 'vacuously-frozen'] },
    ],
    title: 'deleted property, or #private member',
    why: 'A successful delete, even of a key that was added again, or a #private field or method marks an object permanently; no reflection shows it.',
    fix: 'Copy it to a fresh object: { ...value }. Better, leave the key out when the object is made, or set it to undefined.',
  },
});

/** All kinds except primitives and values that cannot be cloned. */
const OBJECT_KINDS: readonly Kind[] = ['object', 'array', ...EXOTIC_KINDS];

const IN_VALUE = { level: 'slow', scope: FAST.objects, source: OBJECT_TEST } as const;

/** Rules about values that a flat object must not hold. */
const values = ruleTable(IN_VALUE, {
  'jsc/nested-value': {
    at: 'root-value',
    when: { kind: OBJECT_KINDS },
    blocks: ['simple-object'],
    title: 'object inside an object',
    why: 'Only a flat object of primitives is handed over in memory; one nested object or array sends all of it through the serializer.',
    fix: 'Flatten it, or post it as a message of its own.',
    remedies: ['compiled', 'unwrap-string', 'json-text', 'plain'],
  },
  'jsc/element-nested-value': {
    at: 'element-value',
    when: { kind: OBJECT_KINDS },
    scope: FAST.arrays,
    blocks: ['dense-array'],
    title: 'object inside a row',
    why: 'Rows of an array are handed over in memory only while each is flat; one nested value sends the whole array through the serializer.',
    fix: 'Flatten the rows, or post what they hold in a message of its own.',
    remedies: ['compiled', 'json-text', 'plain'],
    source: `${JSC_SERIALIZER}, dense arrays (oven-sh/bun#26818); seen on Bun 1.3.10-1.4.5`,
  },
  'jsc/bigint-value': {
    at: ['root-value', 'element', 'element-value'],
    when: { kind: 'bigint' },
    blocks: ['simple-object', ...ARRAY_PATHS],
    title: 'BigInt value',
    why: 'Every BigInt is a heap cell in Bun, so a property or element that is one sends the whole value through the serializer.',
    fix: 'Send a number or a string and convert on the receiver.',
    remedies: ['plain'],
  },
});

const ROOT_ARRAY = {
  ...AT_ROOT.slow,
  scope: FAST.arrays,
  blocks: ARRAY_PATHS,
  fix: 'Send a copy: array.slice().',
  remedies: ['repack'],
  source: ARRAY_BLOCK,
} as const satisfies Partial<Rule>;

const array = ruleTable(ROOT_ARRAY, {
  'jsc/array-named-props': {
    when: { kind: 'array', any: ['named-props', 'symbol-key', 'named-props-history'] },
    title: 'array with named properties',
    why: 'A property beside the elements (a regex match, a subclass field, rows.total = 3), also one that was deleted, keeps the array off the fast path.',
    fix: 'Send the elements and the named properties separately: { ... } and [...array].',
    remedies: ['repack', 'json-text'],
  },
  'jsc/hole': {
    when: { kind: 'array', all: ['holes'], none: ['undecided', 'array-storage', 'slow-put'] },
    title: 'array with a hole',
    why: 'One index below the length that was never set, or was deleted, sends the whole array through the serializer.',
    fix: 'Fill the holes (undefined or null is fine), or use splice instead of delete.',
    remedies: ['repack', 'json-text'],
  },
  'jsc/undecided-array': {
    when: [
      { kind: 'array', all: ['undecided'] },
      {
        kind: 'array',
        all: ['empty'],
        none: ['int32-storage', 'double-storage', 'contiguous', 'array-storage', 'slow-put', 'frozen'],
      },
    ],
    title: 'array that never held an element',
    why: '[] and new Array(n) have no storage yet, and only arrays with storage are fast. The array is small, so it costs little.',
    fix: 'Send null or undefined for "nothing".',
    remedies: [],
  },
  'jsc/frozen-array': {
    when: { kind: 'array', any: UNCHANGEABLE },
    title: 'frozen, sealed or non-extensible array',
    why: 'Object.freeze, seal and preventExtensions move an array to slow storage, off the fast path.',
  },
  'jsc/array-storage': {
    when: { kind: 'array', any: ['array-storage', 'slow-put', 'accessor', 'read-only'], none: UNCHANGEABLE },
    title: 'array in slow storage',
    why: 'The array moved to ArrayStorage and stays there: shift() with 129 or more elements, unshift() with 100,000, a first write beyond index 1,000, a raised length, an accessor or read-only element. Up to Bun 1.4.1 later arrays from the same line of code are created in ArrayStorage too.',
    fix: 'Send a copy: array.slice(). For a queue, move an index instead of calling shift().',
    source: `${ARRAY_BLOCK}; ArrayStorage producers seen on Bun 1.3.10 and 1.4.5`,
  },
  'jsc/prototype-indexed': {
    when: { kind: 'array', all: ['prototype-indexed'] },
    title: 'indexed property on the prototype chain',
    why: 'A prototype has an integer-like key, so a hole may read a value from it, and the fast path is not taken. Array.prototype[7] = x does this to every array of the process, permanently.',
    fix: 'Never put integer-like keys on a prototype.',
    remedies: ['json-text'],
    source: `${ARRAY_BLOCK}; JSArray.cpp holesMustForwardToPrototype`,
  },
  'jsc/exotic-element': {
    at: 'element',
    when: { kind: ['array', ...EXOTIC_KINDS] },
    title: 'element that is not a flat object',
    why: 'Elements may be primitives or flat objects; an array, a Date, Map, buffer, error or the like as element sends the whole array through the serializer.',
    fix: 'Turn rows into flat objects or the table into one array per column; send the plain form of others (a number for a Date, entries for a Map).',
    remedies: ['compiled', 'plain', 'json-text'],
  },
  'jsc/repeated-element': {
    at: 'element',
    when: { kind: 'object', all: ['repeated'] },
    title: 'repeated object',
    why: 'Both elements must arrive as one object, and only the serializer keeps track of that, so the whole array goes through it.',
    fix: 'Send copies ({ ...row }), or each distinct row once, with an index for each element.',
    remedies: ['json-text'],
  },
});

/** The receiver keeps a list of the objects that it has read; later references are indices into this list. */
const POOL = {
  ...ANYWHERE.lossy,
  scope: { runtimes: { bun: '<1.4.0' } },
  fix: 'Use Bun 1.4, send copies, or put the BigInts last.',
  source: `${JSC_SERIALIZER}, object pool; seen on Bun 1.2.20-1.3.14 (wrong) and 1.4.0, 1.4.5 (right)`,
} as const satisfies Partial<Rule>;

/** Rules about costs inside the serializer, and about values that it refuses although the standard allows them. */
const serializer = ruleTable(ANYWHERE.rejected, {
  'jsc/blob-inside': {
    at: 'nested',
    when: { kind: 'platform', tag: ['Blob', 'File'] },
    scope: { runtimes: { bun: '<1.2.22' }, channels: OVER.inProcess },
    title: 'Blob inside a message',
    why: 'Up to Bun 1.2.21 a Blob can be posted only as the message itself: inside an object or array the receiver cannot read it.',
    fix: 'Post the Blob as the message, or send its bytes: await blob.bytes().',
    source: 'seen on Bun 1.2.20, 1.2.21 (TypeError) and 1.2.22 (works)',
  },
  'jsc/platform-over-ipc': {
    ...ANYWHERE.lossy,
    scope: { channels: ['ipc-advanced'] },
    when: { kind: 'platform', notTag: ['DOMException', 'Memory'] },
    loses: 'class',
    title: 'web object to another process',
    why: 'Between processes Bun does not clone blobs, files and the like: they arrive as empty objects, without an error.',
    fix: 'Send its data: await blob.arrayBuffer().',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.14 and 1.4.5',
  },
  'jsc/map-extra-props': {
    ...ANYWHERE.note,
    when: { kind: ['map', 'set'], all: ['extra-props'] },
    title: 'own properties of a Map or Set are kept',
    why: 'Bun and WebKit also send own properties of a Map or Set, unlike other engines; code that relies on it works only there.',
    fix: 'Send such properties as separate values.',
    remedies: ['plain'],
    source: 'seen on Bun 1.3.9 and 1.4.5, WebKitGTK 2.50',
  },
  'jsc/reference-after-bigint': {
    ...POOL,
    when: [
      { any: ['repeated', 'cycle'], all: ['after-bigint'] },
      { kind: 'arraybuffer', all: ['after-bigint'] },
    ],
    loses: 'value',
    title: 'reference to an object behind a BigInt',
    why: 'Up to Bun 1.3 the receiver counts each BigInt as an object and the sender does not, so a second reference to an object behind one arrives as another value: [1n, o, o] ends with 1n.',
  },
  'jsc/memory-after-bigint': {
    ...POOL,
    level: 'rejected',
    when: { kind: VIEW, all: ['after-bigint'], none: ['repeated', 'cycle'] },
    title: 'shared buffer behind a BigInt',
    why: 'Up to Bun 1.3 the second view of a buffer behind a BigInt refers to another object, and the message never arrives.',
  },
});

export const SHARE = 'BunString.cpp toCrossThreadShareable (oven-sh/bun#22006); seen on Bun 1.2.21-1.4.5';

/** Positions of strings that are sent without the serializer if the root takes a fast path. */
export const CARRIED: readonly RulePosition[] = ['root-value', 'element', 'element-value'];
export const CARRIERS: readonly PathName[] = ['simple-object', 'simple-array', 'dense-array'];

const SHARED_STRING = { ...AT_ROOT.slow, scope: FAST.strings, source: SHARE } as const;

const strings = ruleTable(SHARED_STRING, {
  'jsc/string-copied': {
    when: { kind: 'string', all: ['units-from-256'], any: ['atom', 'substring'] },
    blocks: ['string-shared'],
    also: [{ at: CARRIED, scope: FAST.objects, blocks: [], on: CARRIERS, costs: 'bulk' }],
    title: 'long string that is copied, not shared',
    why: 'Strings from 256 code units are shared, unless they are interned (literals, keys, strings that were serialized before) or a piece of a longer string (from slice, split or match): those are copied.',
    fix: 'Copy it into a string of its own, for example through Buffer.from(text).toString(), and do not use it as a key.',
    remedies: ['own-string'],
  },
  'jsc/string-rope': {
    level: 'note',
    at: ['root', ...CARRIED],
    when: { kind: 'string', all: ['rope'], none: ['substring'] },
    on: ['string-shared', 'string-copied', ...CARRIERS],
    title: 'concatenation, joined when sent',
    why: 'A string made with + or a template is joined once, on the sender, and shared after that.',
  },
  'jsc/long-string-serialized': {
    at: 'nested',
    when: { kind: 'string', all: ['units-from-256'] },
    on: ['serializer'],
    title: 'long string in a message that is serialized',
    why: 'The string would be shared as the message itself or in a flat one. Here it is hashed, interned and copied, and stays interned, so that sending it alone later copies it too.',
    fix: 'Send the string as the message, or flatten the object around it.',
    remedies: ['unwrap-string', 'compiled', 'json-text'],
    source: `${SHARE}; ${JSC_SERIALIZER} write(const String&)`,
  },
});

const SERIALIZED = { level: 'slow', at: 'root', blocks: EVERY_FAST_PATH } as const satisfies Partial<Rule>;

const GATE = `${JSC_SERIALIZER}, gate before the fast paths (oven-sh/bun#21926); seen on Bun 1.2.21-1.4.5`;

/** Rules that keep every value off the fast paths, because of the channel, a transfer list or the version. */
const serialized = ruleTable(SERIALIZED, {
  'jsc/transfer-list': {
    when: { kind: ['string', 'object', 'array'] },
    scope: { transferring: true, channels: OVER.inProcess, runtimes: FAST.strings.runtimes },
    title: 'message with a transfer list',
    why: 'A non-empty transfer list sends the whole message through the serializer, whatever the value is.',
    fix: 'Post the buffers in a separate message, and the rest without a transfer list.',
    source: GATE,
  },
  'jsc/cross-process': {
    when: { kind: ['string', 'object', 'array'] },
    scope: { channels: ['ipc-advanced', 'storage'] },
    title: 'message to another process, or into a file',
    why: 'Another process or a file has no memory of the program, so every value is serialized. What v8.serialize of Bun writes, Node and Deno cannot read.',
    fix: 'Use a Worker where the data is large; between processes send less of it.',
    fixIn: { storage: 'Write JSON text where the payload is JSON.' },
    remedies: ['compiled', 'json-text'],
    source: `${JSC_SERIALIZER} forCrossProcessTransfer (oven-sh/bun#21926), for storage; seen on Bun 1.2.20 to 1.4.5`,
  },
  'jsc/too-early': {
    when: { kind: 'string' },
    scope: { runtimes: { bun: '<1.2.21' }, channels: OVER.inProcess },
    also: [
      { when: { kind: 'object' }, scope: { runtimes: { bun: '<1.2.22' }, channels: OVER.inProcess } },
      { when: { kind: 'array' }, scope: { runtimes: { bun: '<1.3.10' }, channels: OVER.inProcess } },
    ],
    title: 'no fast path in this version',
    why: 'Bun hands over strings without the serializer since 1.2.21, flat objects since 1.2.22, and arrays of primitives or flat objects since 1.3.10.',
    fix: 'Use Bun 1.2.21 or later for strings, 1.2.22 for flat objects, 1.3.10 for arrays.',
    remedies: ['json-text', 'unwrap-string', 'typed-array'],
    source:
      'oven-sh/bun#21926, #22279, #26814 and #26818; seen on Bun 1.2.20, 1.2.21, 1.2.22, 1.3.9 and 1.3.10',
  },
});

const slowKinds = ruleTable(AT_ROOT.note, {
  'jsc/bare-primitive': {
    when: { kind: ['undefined', 'null', 'boolean', 'number', 'bigint'] },
    also: [{ when: { kind: 'string', none: ['units-from-256'] }, scope: FAST.strings }],
    title: 'bare primitive, or string below 256 code units',
    why: 'A number, boolean, null, undefined or BigInt as the message itself has no fast path, and a short string is copied; both are small, so the round trip costs more than cloning.',
    fix: 'Send several in one message.',
    source: 'oven-sh/bun#36591 (open); seen on Bun 1.2.20-1.4.5',
  },
  'jsc/exotic-root': {
    ...AT_ROOT.slow,
    when: { kind: ['map', 'set', 'date', 'regexp', 'error', 'boxed'] },
    scope: { channels: OVER.inProcess, runtimes: FAST.objects.runtimes },
    title: 'not a plain object or array',
    why: 'Map, Set, Date, RegExp, Error and boxed values have no fast path in any version.',
    fix: 'Send a flat object or an array of flat objects and rebuild on the receiver.',
    remedies: ['plain', 'json-text'],
    source: `${JSC_SERIALIZER} isObjectFastPathCandidate; seen on Bun 1.2.20-1.4.5`,
  },
  'jsc/binary-root': {
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing', 'wasm-memory'] },
    scope: { transferring: false },
    title: 'binary data, copied',
    why: 'Buffers and their views have no fast path in any version: the bytes go through the serializer.',
    fix: 'List the buffer in the transfer list when the sender no longer needs it, or use a SharedArrayBuffer.',
    remedies: ['transfer', 'share'],
    source: 'oven-sh/bun#26991 (closed, not merged); seen on Bun 1.2.20-1.4.5',
  },
});

export const rules: readonly Rule[] = [
  ...[...serialized, ...slowKinds, ...values, ...object],
  ...[...array, ...strings, ...serializer],
];
