import type { Engine, PathRow, Rule, SharedRow, UnknownRow } from '../../model/rules/rule.ts';
import {
  ANYWHERE,
  CLONED_ON,
  GETTER_RESULT,
  MAP_EXTRA_PROPS,
  PLATFORM_SHARED,
  SHARED,
  SHARED_MEMORY,
  TRANSFERABLE_OBJECT,
  TRANSFERRED,
  VIEW_OF_LARGER,
} from '../standard/common.ts';
import { SHARING, strings, stringUnknowns, WRITE_STRING } from './strings.ts';

const TRANSFER_MAP = 'SpiderMonkey js/src/vm/StructuredClone.cpp writeTransferMap; seen on Firefox 153';

const paths = [
  {
    path: 'string-shared',
    costs: 'shared',
    root: { kind: 'string', all: ['bytes-from-514'] },
    otherwise: 'string-copied',
    title: 'string, shared',
    why: 'A string of 514 bytes or more keeps its characters in a buffer that sender and receiver share.',
    source: WRITE_STRING,
  },
  {
    path: 'string-copied',
    costs: 'bulk',
    root: { kind: 'string' },
    title: 'string, copied',
    why: 'The characters are copied into the message and out of it again.',
    source: WRITE_STRING,
  },
  {
    ...TRANSFERRED,
    path: 'serializer',
    scope: { transferring: true, channels: SHARING },
    root: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing', 'resizable'] },
    source: TRANSFER_MAP,
  },
  {
    ...TRANSFERRED,
    path: 'serializer',
    root: TRANSFERABLE_OBJECT,
    source: TRANSFER_MAP,
  },
  {
    ...SHARED,
    path: 'serializer',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeSharedArrayBuffer',
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    title: 'serializer',
    why: 'The value is written as words of 8 bytes, part by part, and read back on the receiver before its listeners run. Strings of 514 bytes or more inside it are shared, at any depth; keys are copied.',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp JSStructuredCloneWriter; seen on Firefox 153',
  },
] as const satisfies readonly PathRow[];

const rules = [
  ...strings,
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/transfer-over-port',
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], none: ['shared-backing', 'resizable'] },
    scope: { transferring: true, channels: ['message-port'] },
    title: 'transfer over a port',
    why: 'A MessagePort may leave the process, so a transferred buffer is copied and the sender loses it all the same: 178 ms for 8 MB, against 24 us to a Worker.',
    fix: 'Transfer it through the Worker itself, or use a SharedArrayBuffer.',
    remedies: ['share'],
    source: TRANSFER_MAP,
  },
  {
    ...ANYWHERE.slow,
    id: 'spidermonkey/resizable-transfer',
    when: { kind: ['arraybuffer', 'typedarray', 'dataview'], all: ['resizable'], none: ['shared-backing'] },
    scope: { transferring: true },
    title: 'transfer of a resizable buffer',
    why: 'A resizable buffer is copied also when it is transferred, and the sender loses it all the same.',
    fix: 'Make it fixed before it is filled: buffer.transferToFixedLength().',
    source: TRANSFER_MAP,
  },
  {
    ...VIEW_OF_LARGER,
    id: 'spidermonkey/view-of-larger',
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeTypedArray',
  },
  {
    ...MAP_EXTRA_PROPS,
    id: 'spidermonkey/map-extra-props',
    source:
      'SpiderMonkey js/src/vm/StructuredClone.cpp traverseMap; HTML StructuredSerializeInternal; seen on Firefox 153',
  },
  {
    ...ANYWHERE.lossy,
    id: 'spidermonkey/exception-text',
    when: { kind: 'error', all: ['beyond-ascii'], tag: ['DOMException'] },
    loses: 'value',
    scope: { channels: CLONED_ON },
    title: 'text of a DOMException beyond ASCII',
    why: 'The bytes of its name and message arrive as characters of their own: "\u00e9" as "\u00c3\u00a9".',
    fix: 'Send name and message as a plain object.',
    remedies: ['plain'],
    source: 'dom/base/DOMException.cpp; seen on Firefox 153',
  },
  {
    ...ANYWHERE.note,
    id: 'spidermonkey/number-array',
    when: { kind: 'array', sizeFrom: 1000 },
    title: 'long array',
    why: 'Every element takes 16 bytes, its index included, and a key lookup. Holes, freezing and storage as a dictionary make no difference.',
    fix: 'Use a typed array for numbers.',
    remedies: ['typed-array', 'compiled'],
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp traverseObject; seen on Firefox 153',
  },
] as const satisfies readonly Rule[];

const getterResult = {
  ...GETTER_RESULT,
  on: ['serializer'],
  source:
    'SpiderMonkey js/src/vm/StructuredClone.cpp traverseObject; HTML StructuredSerializeInternal, [[Get]]',
} as const satisfies UnknownRow;

const shares = [
  {
    at: 'any',
    when: { kind: 'string', all: ['bytes-from-514'], none: ['substring'] },
    scope: { channels: SHARING, runtimes: { firefox: '>=137' } },
    source: WRITE_STRING,
  },
  {
    at: 'any',
    when: SHARED_MEMORY,
    source: 'SpiderMonkey js/src/vm/StructuredClone.cpp writeSharedArrayBuffer',
  },
  PLATFORM_SHARED,
] as const satisfies readonly SharedRow[];

/** SpiderMonkey as Firefox uses it. */
export const spidermonkey: Engine = {
  name: 'spidermonkey',
  paths,
  rules,
  unknowns: [...stringUnknowns, getterResult],
  shares,
};
