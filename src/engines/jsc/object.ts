import type { Rule } from '../../model/rules/rule.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { EXOTIC_KINDS, FAST_ARRAYS, FAST_OBJECTS, OBJECT_TEST } from './fast-paths.ts';

/** The object test runs on a root object and on each object directly inside a root array. */
const OFF_FAST_PATH = {
  level: 'slow',
  at: ['root', 'element'],
  scope: FAST_OBJECTS,
  blocks: ['simple-object', 'dense-array'],
  remedies: ['rebuild'],
  source: OBJECT_TEST,
} as const satisfies Partial<Rule>;

export const object = [
  {
    ...OFF_FAST_PATH,
    id: 'jsc/accessor',
    when: { kind: 'object', all: ['accessor'] },
    title: 'getter or setter',
    why: 'An own getter or setter of any kind keeps the object off the fast path.',
    fix: 'Copy it to a plain object first: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/non-enumerable',
    when: { kind: 'object', all: ['non-enumerable'] },
    title: 'non-enumerable property',
    why: 'One own property that is not enumerable keeps the object off the fast path permanently, even if it is made enumerable later.',
    fix: 'Copy it to a plain object first: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/non-configurable',
    when: { kind: 'object', all: ['non-configurable'], none: ['frozen', 'sealed'] },
    title: 'non-configurable property',
    why: 'One own property that is not configurable keeps the object off the fast path.',
    fix: 'Copy it to a plain object first: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/symbol-key',
    when: { kind: 'object', all: ['symbol-key'] },
    title: 'symbol key',
    why: 'A property under a symbol is not sent at all, but keeps the object off the fast path.',
    fix: 'Keep symbols out of the message, for example in a WeakMap, or copy the string keys to a fresh object.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/indexed-key',
    when: { kind: 'object', all: ['indexed-key'] },
    title: 'integer-like key',
    why: 'A key such as "0" or "17" is stored as an element, not as a property, and keeps the object off the fast path.',
    fix: 'Give such keys a prefix ("id17"), or send an array of entries.',
    remedies: ['json-text', 'compiled'],
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/indexed-storage',
    when: [
      { kind: 'object', all: ['indexed-storage'], none: ['indexed-key', 'frozen', 'sealed'] },
      { kind: 'object', all: ['indexed-storage', 'vacuously-frozen'] },
    ],
    title: 'storage of a deleted integer-like key',
    why: 'An object that once had an integer-like key stays off the fast path after the key is deleted.',
    fix: 'Copy it to a fresh object: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/frozen-object',
    when: { kind: 'object', all: ['frozen'], none: ['vacuously-frozen'] },
    title: 'frozen object',
    why: 'A frozen object is off the fast path; the receiver gets an unfrozen copy anyway.',
    fix: 'Send a copy: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/sealed-object',
    when: { kind: 'object', all: ['sealed'], none: ['frozen'] },
    title: 'sealed object',
    why: 'A sealed object is off the fast path; the receiver gets an unsealed copy anyway.',
    fix: 'Send a copy: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/non-extensible-object',
    when: { kind: 'object', all: ['non-extensible'], none: ['frozen', 'sealed'] },
    scope: { ...FAST_OBJECTS, runtimes: { bun: '>=1.2.22 <1.4.0' } },
    title: 'non-extensible object',
    why: 'Up to Bun 1.3 Object.preventExtensions changes how the object is stored, which keeps it off the fast path.',
    fix: 'Send a copy: { ...value }, or use Bun 1.4.',
    source: 'seen on Bun 1.2.22-1.3.14 (slow) and 1.4.0-1.4.5 (fast)',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/uncacheable-dictionary',
    when: [
      {
        kind: 'object',
        all: ['uncacheable-dictionary'],
        none: ['accessor', 'frozen', 'sealed', 'hidden-state'],
      },
      { kind: 'object', all: ['uncacheable-dictionary', 'vacuously-frozen'], none: ['hidden-state'] },
    ],
    title: 'property deleted from a large object',
    why: 'Deleting a property of an object with many keys turns it into a slow dictionary, off the fast path.',
    fix: 'Copy it to a fresh object: { ...value }.',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/poly-proto',
    when: { kind: 'object', all: ['poly-proto'] },
    title: 'class that is defined anew',
    why: 'The class of these objects was defined several times by the same code, as in a function that is called for each of them. From the third on JavaScriptCore keeps the prototype in the object, and such objects have no fast path.',
    fix: 'Define the class once, outside of the function that makes the objects.',
    remedies: ['plain'],
    source: 'JavaScriptCore runtime/JSFunction.cpp, ObjectAllocationProfile; seen on Bun 1.3.14 and 1.4.5',
  },
  {
    ...OFF_FAST_PATH,
    id: 'jsc/hidden-state',
    when: { kind: 'object', all: ['hidden-state'] },
    title: 'deleted property, or #private member',
    why: 'A successful delete, even of a key that was added again, or a #private field or method marks an object permanently; no reflection shows it.',
    fix: 'Copy it to a fresh object: { ...value }. Better, leave the key out when the object is made, or set it to undefined.',
  },
] as const satisfies readonly Rule[];

/** Everything except primitives and values that cannot be cloned. */
const OBJECT_KINDS: readonly Kind[] = ['object', 'array', ...EXOTIC_KINDS];

/** Values that a flat object must not hold. */
export const values = [
  {
    id: 'jsc/nested-value',
    level: 'slow',
    at: 'root-value',
    when: { kind: OBJECT_KINDS },
    scope: FAST_OBJECTS,
    blocks: ['simple-object'],
    title: 'object inside an object',
    why: 'Only a flat object of primitives is handed over in memory; one nested object or array sends all of it through the serializer.',
    fix: 'Flatten it, or post it as a message of its own.',
    remedies: ['compiled', 'unwrap-string', 'json-text', 'plain'],
    source: OBJECT_TEST,
  },
  {
    id: 'jsc/element-nested-value',
    level: 'slow',
    at: 'element-value',
    when: { kind: OBJECT_KINDS },
    scope: FAST_ARRAYS,
    blocks: ['dense-array'],
    title: 'object inside a row',
    why: 'Rows of an array are handed over in memory only while each is flat; one nested value sends the whole array through the serializer.',
    fix: 'Flatten the rows, or post what they hold in a message of its own.',
    remedies: ['compiled', 'json-text', 'plain'],
    source: 'SerializedScriptValue.cpp, dense arrays (oven-sh/bun#26818); seen on Bun 1.3.10-1.4.5',
  },
  {
    id: 'jsc/bigint-value',
    level: 'slow',
    at: ['root-value', 'element-value'],
    when: { kind: 'bigint' },
    scope: FAST_OBJECTS,
    blocks: ['simple-object', 'dense-array'],
    title: 'BigInt value',
    why: 'Every BigInt is a heap cell in Bun, so a property that holds one sends the whole value through the serializer.',
    fix: 'Send a number or a string and convert on the receiver.',
    remedies: ['plain'],
    source: OBJECT_TEST,
  },
] as const satisfies readonly Rule[];
