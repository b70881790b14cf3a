import { IPC_CHANNELS, JSON_CHANNELS } from '../../model/names.ts';
import { type Rule, ruleTable, type Scope, type When } from '../../model/rules/rule.ts';
import { type Kind, PROXY_OF_FUNCTION } from '../../model/vocabulary/shape.ts';
import { ANYWHERE, BRIDGE } from './row-parts.ts';

const SCOPE = { channels: JSON_CHANNELS } as const satisfies Scope;
const ON_DENO = { runtimes: { deno: '*' }, channels: ['ipc-json'] } as const satisfies Scope;
export const INSTEAD = "Let messages be cloned: fork(file, { serialization: 'advanced' }).";
export const IN_EXTENSION =
  'Let messages be cloned: "message_serialization": "structured_clone" in the manifest of the extension.';

const JSON_SOURCE =
  'ECMA-262 SerializeJSONProperty; Node lib/internal/child_process/serialization.js; Chromium extensions/renderer/api/messaging/messaging_util.cc; seen on Node 20-26, Bun 1.4.5, Deno 2.9.6, Chromium 156';

const JSON_RULE = {
  ...ANYWHERE.lossy,
  scope: SCOPE,
  fix: INSTEAD,
  fixIn: { extension: IN_EXTENSION },
  source: JSON_SOURCE,
} as const satisfies Partial<Rule>;

/** Kinds that JSON.stringify writes as {}: their data is not in enumerable own properties. */
export const EMPTIED: readonly Kind[] = [
  ...(['map', 'set', 'regexp', 'error', 'promise', 'weakmap', 'weakset', 'weakref', 'generator'] as const),
  ...(['iterator', 'arraybuffer', 'sharedarraybuffer', 'dataview', 'not-cloneable', 'platform'] as const),
];

const BIGINTS = ['BigInt64Array', 'BigUint64Array'] as const;

/** Typed arrays whose toJSON gives their text. An array of BigInts is marked also if they have the method. */
const BYTES_WITH_METHOD: readonly When[] = [
  { kind: 'typedarray', notTag: BIGINTS, all: ['to-json'] },
  { kind: 'typedarray', tag: BIGINTS, all: ['to-json'], any: ['extra-props', 'subclass'] },
];

export const json = ruleTable(JSON_RULE, {
  'spec/json-function': {
    at: 'nested',
    when: [{ kind: ['function', 'symbol'] }, { kind: 'proxy', tag: [PROXY_OF_FUNCTION] }],
    loses: ['property', 'value'],
    title: 'function that is dropped in silence',
    why: 'JSON leaves out properties that are functions or symbols, and writes null for them in arrays; nothing throws. Deno writes {}.',
  },
  'spec/json-undefined': {
    level: 'note',
    at: 'nested',
    when: { kind: 'undefined', parent: ['object', 'arguments', ...EMPTIED] },
    loses: 'property',
    title: 'undefined over JSON',
    why: 'JSON leaves out properties that are undefined.',
  },
  'spec/json-undefined-element': {
    loses: 'value',
    when: [
      { kind: 'undefined', parent: ['array'] },
      { kind: 'array', all: ['holes'] },
    ],
    also: [{ at: 'root', when: { kind: 'undefined' }, scope: { channels: ['extension'] } }],
    title: 'undefined or a hole that arrives as null',
    why: 'JSON has no undefined: in an array it arrives as null, as a hole does, each as four bytes of text, and as the message of an extension.',
  },
  'spec/json-root': {
    level: 'rejected',
    at: 'root',
    scope: { channels: IPC_CHANNELS },
    when: [{ kind: ['undefined', 'function', 'symbol'] }, { kind: 'proxy', tag: [PROXY_OF_FUNCTION] }],
    also: [
      { when: { kind: ['function', 'symbol'] }, scope: { channels: ['extension'] } },
      {
        when: { kind: 'bigint' },
        scope: { channels: ['ipc-advanced'], exceptOn: { deno: '*' } },
      },
    ],
    title: 'message that is none',
    why: 'Calling process.send throws a TypeError for it, whatever the serialization, and for a BigInt that is the message; a port of an extension throws "Could not serialize message".',
    fix: 'Send null for undefined, a BigInt in an object, and for the rest a name that the other side looks up.',
    fixIn: { extension: 'Send a name that the other side looks up.' },
  },
  'spec/json-number': {
    loses: 'value',
    when: { kind: 'number', any: ['nan', 'infinite', 'negative-zero'] },
    title: 'number that JSON cannot write',
    why: 'NaN and Infinity arrive as null, -0 as 0.',
  },
  'spec/json-bigint': {
    level: 'rejected',
    when: { kind: 'bigint', none: ['to-json'] },
    also: [
      {
        scope: { ...SCOPE, exceptOn: { deno: '*' } },
        when: [
          { kind: 'typedarray', tag: BIGINTS, none: ['empty', 'to-json'] },
          { kind: 'boxed', tag: ['BigInt'], none: ['to-json'] },
        ],
      },
      { when: { kind: 'bigint', all: ['to-json'] }, scope: ON_DENO },
    ],
    title: 'BigInt over JSON',
    why: 'JSON.stringify throws a TypeError for a BigInt, also in an array of BigInts or a boxed one. Deno writes the bytes of the array, and {} for a boxed one; it does not call toJSON of a BigInt.',
  },
  'spec/json-arguments': {
    when: { kind: 'arguments' },
    loses: ['property', 'getter'],
    title: 'arguments object over JSON',
    why: 'It arrives as a plain object with a key for each argument, without a length.',
    fix: 'Use rest parameters (...args), or Array.from(arguments).',
    fixIn: {},
  },
  'spec/json-date': {
    loses: 'value',
    when: { kind: 'date' },
    title: 'Date that arrives as text',
    why: 'A Date arrives as its ISO text, an invalid one as null.',
  },
  'spec/json-boxed': {
    loses: 'value',
    when: { kind: 'boxed' },
    title: 'boxed value',
    why: 'A boxed number, string or boolean arrives as the primitive.',
  },
  'spec/json-emptied': {
    when: { kind: EMPTIED, none: ['to-json'] },
    loses: ['value', 'class', 'property', 'getter'],
    title: 'object that arrives without its content',
    why: 'It arrives as {}, with no more than the program has set on it, as code of an error. Maps, Sets, regular expressions, errors, buffers and objects of the platform hold nothing else that JSON writes.',
  },
  'spec/json-bytes': {
    loses: 'value',
    when: [
      { kind: 'typedarray', none: ['to-json'] },
      { kind: 'typedarray', tag: BIGINTS, all: ['to-json'], none: ['extra-props', 'subclass'] },
    ],
    // Deno does not call their toJSON.
    also: [{ when: BYTES_WITH_METHOD, scope: ON_DENO }],
    costs: 'degraded',
    title: 'bytes as text',
    why: 'A typed array arrives as an object with a key for each element, a Buffer as { type, data }, on Deno as a list: 300 kB take up to 3.7 MB of text.',
    fix: `Send them as base64 text. ${INSTEAD}`,
    fixIn: { extension: `Send them as base64 text. ${IN_EXTENSION}` },
    remedies: ['base64', 'compiled'],
  },
  'spec/json-cycle': {
    level: 'rejected',
    when: { any: ['cycle'] },
    title: 'cycle',
    why: 'JSON.stringify throws a TypeError for an object that contains itself.',
  },
  'spec/shared-reference': {
    level: 'note',
    when: {
      kind: ['object', 'array', 'arguments', 'date', 'boxed', 'typedarray', ...EMPTIED],
      all: ['repeated'],
    },
    also: [
      { at: 'outside', when: { kind: 'error', all: ['repeated'] }, scope: BRIDGE.alone },
      {
        at: 'outside',
        when: { kind: 'array', all: ['cycle'], none: ['array-cycle'] },
        scope: BRIDGE.alone,
      },
      {
        at: 'in-collection',
        when: {
          kind: ['object', 'array', 'date', 'map', 'set', 'typedarray', 'arraybuffer', 'platform'],
          any: ['repeated', 'collection-cycle'],
        },
        scope: BRIDGE.alone,
      },
    ],
    loses: 'value',
    title: 'object at two places',
    why: 'JSON writes an object each time it occurs, contextBridge each error, Map and Set by itself, and an array once more for what refers back to it from its elements: it arrives as several.',
    fix: `${INSTEAD} Or send it once and refer to it by a key.`,
    fixIn: {
      extension: `${IN_EXTENSION} Or send it once and refer to it by a key.`,
      'electron-bridge':
        'Send it once and refer to it by a key; put an array with references to itself into an object, such as { items }, and refer to that object.',
    },
    source: `${JSON_SOURCE}; Electron shell/renderer/api/electron_api_context_bridge.cc PassValueToOtherContext; seen on Electron 33.2`,
  },
  'spec/json-to-json': {
    when: { kind: ['object', 'array', 'bigint', ...EMPTIED], all: ['to-json'] },
    loses: ['value', 'class', 'property'],
    also: [
      {
        when: BYTES_WITH_METHOD,
        loses: ['value', 'property'],
        scope: { ...SCOPE, exceptOn: { deno: '*' } },
      },
    ],
    title: 'object with toJSON',
    why: 'What its toJSON returns arrives in its place. Deno does not call toJSON of typed arrays.',
  },
});
