import type { Engine, PathRow, Rule } from '../../model/rule.ts';

const FILE = 'WebKit Source/WebCore/bindings/js/SerializedScriptValue.cpp';

const paths = [
  {
    path: 'serializer',
    costs: 'moved',
    root: [
      { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing'] },
      { kind: 'platform', all: ['transferable'] },
    ],
    scope: { transferring: true },
    title: 'transferred buffer',
    why: 'The memory of a listed buffer changes its owner; nothing is copied and the sender loses it.',
    source: `${FILE} transferArrayBuffers`,
  },
  {
    path: 'serializer',
    costs: 'shared',
    root: [{ kind: 'sharedarraybuffer' }, { kind: ['typedarray', 'dataview'], all: ['shared-backing'] }],
    title: 'shared memory',
    why: 'Both sides get the same memory; only a reference travels.',
    source: FILE,
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The value is written into a byte stream, part by part, and read back on the other side.',
    source: `${FILE} CloneSerializer`,
  },
] as const satisfies readonly PathRow[];

const rules = [
  {
    id: 'webkit/sparse-length',
    level: 'slow',
    at: 'any',
    when: { kind: 'array', all: ['holes'], sizeFrom: 10_000 },
    costs: 'degraded',
    title: 'long array with holes',
    why: 'The serializer asks for every index below the length, so the cost follows the length, not the number of elements.',
    fix: 'Send the pairs of index and value, or a Map.',
    remedies: ['repack'],
    source: `${FILE}; oven-sh/bun#33512 for the same code`,
  },
  {
    id: 'webkit/view-of-larger',
    level: 'slow',
    at: 'any',
    when: { kind: ['typedarray', 'dataview'], all: ['view-of-larger'], none: ['shared-backing'] },
    scope: { transferring: false },
    costs: 'degraded',
    title: 'small view on a large buffer',
    why: 'The whole buffer behind the view is copied, not only the part that the view shows.',
    fix: 'Send a copy of just the part: view.slice().',
    remedies: ['slice-view'],
    source: `${FILE} dumpArrayBufferView`,
  },
  {
    id: 'webkit/long-string',
    level: 'note',
    at: 'any',
    when: { kind: 'string', sizeFrom: 65_536 },
    title: 'long string',
    why: 'Every string is hashed and interned before it is copied, so one huge text pays for both.',
    fix: 'Where the text is bytes anyway, send the bytes and transfer their buffer.',
    remedies: [],
    source: `${FILE} write(const String&)`,
  },
  {
    id: 'webkit/repeated-string',
    level: 'note',
    at: 'any',
    when: { kind: 'string', all: ['repeated'] },
    title: 'repeated string, written once',
    why: 'Equal strings are written once per message and referred back to, so repeating one costs little here.',
    remedies: [],
    source: `${FILE} m_constantPool`,
  },
  {
    id: 'webkit/deep-nesting',
    level: 'rejected',
    at: 'root',
    when: { payloadDepthFrom: 40_000 },
    title: 'nested too deep',
    why: 'The serializer gives up at 40,000 levels.',
    fix: 'Send the nodes as one flat list with the index of each parent.',
    remedies: ['json-text'],
    source: `${FILE} maximumFilterRecursion`,
  },
] as const satisfies readonly Rule[];

/** JavaScriptCore as WebKit itself builds it. */
export const webkit: Engine = { name: 'webkit', paths, rules, unknowns: [] };
