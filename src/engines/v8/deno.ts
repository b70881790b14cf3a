import { type Rule, ruleTable } from '../../model/rules/rule.ts';
import { PROXY_OF_ARRAY } from '../../model/vocabulary/shape.ts';
import { ANYWHERE, AT_ROOT, TOO_DEEP } from '../standard/common.ts';
import { BYTES_WITH_METHOD } from '../standard/json.ts';
import {
  ARRIVES_EMPTY,
  AS_PARTS,
  dataObject,
  EMPTIED,
  fetchedObject,
  urlObject,
} from '../standard/platform.ts';

const REFUSED_AS_MESSAGE = {
  ...AT_ROOT.rejected,
  title: 'web object that cannot be cloned',
  why: 'Deno refuses URL, Headers, Request and Response as the message itself; inside one they silently become {}.',
  ...AS_PARTS,
} as const satisfies Partial<Rule>;

/** Deno writes and reads the JSON of messages itself. */
const AS_TEXT = {
  scope: { runtimes: { deno: '*' }, channels: ['ipc-json'] },
  source: 'denoland/deno ext/node/ops/ipc.rs; seen on Deno 2.9.6',
} as const satisfies Partial<Rule>;

const asText = ruleTable(AS_TEXT, {
  'v8/json-null-prototype': {
    ...ANYWHERE.note,
    when: { kind: ['object'], none: ['null-prototype', 'to-json'] },
    loses: 'class',
    scope: { runtimes: { deno: '<2.7.0' }, channels: ['ipc-json'] },
    title: 'object without a prototype on arrival',
    why: 'Up to Deno 2.6 objects of a JSON message arrive with null as their prototype.',
    fix: 'Use Object.hasOwn instead of methods of the object.',
    source: 'seen on Deno 2.6.0 (null) and 2.9.6 (Object.prototype)',
  },
  'v8/json-big-integer': {
    ...ANYWHERE.losesValue,
    when: { kind: 'number', all: ['int64'] },
    title: 'integer that arrives as a BigInt',
    why: 'Integers from 2^53 on arrive as BigInts, up to 2^63.',
    fix: 'Send such numbers as text.',
  },
  'v8/json-surrogate': {
    ...ANYWHERE.losesValue,
    when: { kind: 'string', all: ['lone-surrogate'] },
    title: 'half of a surrogate pair over JSON',
    why: 'The message is UTF-8, which has no such units: U+FFFD arrives in their place, also in keys.',
    fix: 'Cut texts between characters: text.toWellFormed() shows what arrives.',
  },
  'v8/json-bigint-with-method': {
    ...ANYWHERE.rejected,
    when: { kind: 'bigint', all: ['to-json'] },
    title: 'BigInt over JSON, although it has toJSON',
    why: 'Node and Bun call BigInt.prototype.toJSON. Deno refuses every BigInt.',
    fix: 'Send such numbers as text.',
  },
  'v8/json-bytes-with-method': {
    ...ANYWHERE.losesValue,
    when: BYTES_WITH_METHOD,
    costs: 'degraded',
    title: 'bytes as text, although they have toJSON',
    why: 'Node and Bun call the toJSON of a typed array. Deno writes a list of its bytes.',
    fix: 'Send what toJSON returns, or the bytes as base64 text.',
    remedies: ['base64', 'compiled'],
  },
  'v8/json-symbol': {
    level: 'rejected',
    at: 'nested',
    when: { kind: 'symbol' },
    title: 'symbol over JSON',
    why: 'Node and Bun leave a symbol out of a message. Deno refuses the message: no further one arrives.',
    fix: 'Send a string instead.',
  },
  'v8/json-proxy-of-array': {
    ...ANYWHERE.losesValue,
    when: { kind: 'proxy', tag: [PROXY_OF_ARRAY] },
    title: 'Proxy of an array over JSON',
    why: 'It arrives as an object with a key for each element.',
    fix: 'Send a copy: [...list].',
  },
  'v8/json-levels': {
    ...TOO_DEEP,
    when: { payloadDepthFrom: 128 },
    why: 'The receiver reads JSON of at most 127 levels: beyond them its process ends.',
  },
});

const refused = ruleTable(REFUSED_AS_MESSAGE, {
  'v8/platform-root-refused': {
    when: dataObject,
    scope: { runtimes: { deno: '>=2.9.2' }, channels: ['message-port', 'node-worker'] },
    source: 'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.9.2 and 2.9.6',
  },
  'v8/url-clone-refused': {
    when: urlObject,
    scope: { runtimes: { deno: '>=2.9.1' }, channels: ['structured-clone'] },
    source:
      'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.9.0 (arrives as {}), 2.9.1 and 2.9.6',
  },
  'v8/fetched-clone-refused': {
    when: fetchedObject,
    scope: { runtimes: { deno: '>=2.7.0' }, channels: ['structured-clone'] },
    source:
      'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.6.0 (arrives as {}), 2.7.14 and 2.9.6',
  },
});

const emptied = ruleTable(ARRIVES_EMPTY, {
  'v8/platform-root-emptied-early': {
    at: 'root',
    when: dataObject,
    scope: { runtimes: { deno: '<2.9.2' }, channels: ['message-port', 'node-worker'] },
    why: `${EMPTIED} From Deno 2.9.2 on it is refused instead.`,
    source: 'seen on Deno 2.0, 2.3 and 2.9.1 (arrives as {}) and 2.9.2 (DataCloneError)',
  },
  'v8/url-clone-emptied-early': {
    at: 'root',
    when: urlObject,
    scope: { runtimes: { deno: '<2.9.1' }, channels: ['structured-clone'] },
    why: `${EMPTIED} From Deno 2.9.1 on it is refused instead.`,
    source: 'seen on Deno 2.0 and 2.9.0 (arrives as {}) and 2.9.1 (DataCloneError)',
  },
  'v8/fetched-clone-emptied-early': {
    at: 'root',
    when: fetchedObject,
    scope: { runtimes: { deno: '<2.7.0' }, channels: ['structured-clone'] },
    why: `${EMPTIED} From Deno 2.7 on it is refused instead.`,
    source: 'seen on Deno 2.0 and 2.6.0 (arrives as {}) and 2.7.14 (DataCloneError)',
  },
  'v8/platform-root-emptied': {
    at: 'root',
    when: dataObject,
    scope: { runtimes: { deno: '*' }, channels: ['worker', 'broadcast', 'ipc-advanced', 'storage'] },
    why: `${EMPTIED} Ports and structuredClone refuse it.`,
    source: 'denoland/deno ext/broadcast_channel, runtime/js/11_workers.js; seen on Deno 2.9.1 and 2.9.6',
  },
  'v8/platform-emptied-inside': {
    at: 'nested',
    when: dataObject,
    scope: { runtimes: { deno: '*' } },
    why: EMPTIED,
    source: 'denoland/deno ext/web/13_message_port.js isUncloneable; seen on Deno 2.9.6',
  },
});

/** Rules for Deno alone. It refuses some web objects as the message itself, but never inside a message. */
export const deno = [...asText, ...refused, ...emptied];
