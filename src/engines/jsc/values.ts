import type { Rule } from '../../model/rules/rule.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { EXOTIC_KINDS, FAST_ARRAYS, FAST_OBJECTS, OBJECT_TEST } from './fast-paths.ts';

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
