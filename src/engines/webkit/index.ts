import type { Engine, PathRow, Rule } from '../../model/rule.ts';
import { SHARED, SPARSE_LENGTH, TOO_DEEP, TRANSFERRED, VIEW_OF_LARGER } from '../common.ts';

const FILE = 'WebKit Source/WebCore/bindings/js/SerializedScriptValue.cpp';

const paths = [
  {
    ...TRANSFERRED,
    path: 'serializer',
    root: [
      { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', all: ['transferable'] },
    ],
    source: `${FILE} transferArrayBuffers`,
  },
  {
    ...SHARED,
    path: 'serializer',
    source: FILE,
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The value is written into a byte stream, part by part, and read back on the receiver.',
    source: `${FILE} CloneSerializer`,
  },
] as const satisfies readonly PathRow[];

const rules = [
  {
    ...SPARSE_LENGTH,
    id: 'webkit/sparse-length',
    source: `${FILE}; oven-sh/bun#33512 for the same code`,
  },
  {
    ...VIEW_OF_LARGER,
    id: 'webkit/view-of-larger',
    source: `${FILE} dumpArrayBufferView`,
  },
  {
    id: 'webkit/long-string',
    level: 'note',
    at: 'any',
    when: { kind: 'string', sizeFrom: 65_536 },
    title: 'long string',
    why: 'Every string is hashed and interned before it is copied, which adds to the cost of a huge text.',
    fix: 'Where the text is bytes anyway, send the bytes and transfer their buffer.',
    source: `${FILE} write(const String&)`,
  },
  {
    id: 'webkit/repeated-string',
    level: 'note',
    at: 'any',
    when: { kind: 'string', all: ['repeated'] },
    title: 'repeated string, written once',
    why: 'Equal strings are written once per message and referenced after that, so repeating one costs little here.',
    source: `${FILE} m_constantPool`,
  },
  {
    ...TOO_DEEP,
    id: 'webkit/deep-nesting',
    when: { payloadDepthFrom: 40_000 },
    why: 'The serializer stops with an error at 40,000 levels.',
    remedies: ['json-text'],
    source: `${FILE} maximumFilterRecursion`,
  },
] as const satisfies readonly Rule[];

/** JavaScriptCore as WebKit itself builds it. */
export const webkit: Engine = { name: 'webkit', paths, rules, unknowns: [] };
