import { type Rule, ruleTable, type When } from '../../model/rules/rule.ts';
import { ANYWHERE } from './common.ts';

/** Web objects that hold their data in internal slots and have no clone steps in the standard. */
const URLS: readonly string[] = ['URL', 'URLSearchParams'];
const FETCHED: readonly string[] = ['Headers', 'Request', 'Response'];
const DATA: readonly string[] = [...URLS, ...FETCHED];
const FORM_DATA: readonly string[] = ['FormData'];
const REFUSED: readonly string[] = [...DATA, 'MessageEvent', 'URLPattern'];
const MARKED_IN_NODE: readonly string[] = [...FETCHED, 'MessageEvent', 'URLPattern', ...FORM_DATA];
const NEVER_MARKED: readonly string[] = [
  'Event',
  'CustomEvent',
  'EventTarget',
  'AbortController',
  'AbortSignal',
  'TextEncoder',
  'TextDecoder',
  'BroadcastChannel',
  'PerformanceObserver',
  'CompressionStream',
  'DecompressionStream',
  'Crypto',
];
/** Classes of workerd whose objects RPC sends as references. */
export const REFERENCES: readonly string[] = ['RpcTarget', 'Fetcher'];
/** Classes whose objects even RPC does not send. */
export const NEVER_SENT: readonly string[] = [
  ...URLS,
  'MessageEvent',
  'URLPattern',
  ...FORM_DATA,
  ...NEVER_MARKED,
];
export const WITHOUT_CLONE_STEPS: readonly string[] = [...FETCHED, ...NEVER_SENT, ...REFERENCES];

/**
 * The kind of such an object depends on the runtime that described it: not-cloneable if that runtime refuses it, an
 * object if it arrives empty.
 */
export const WEB_OBJECT = { kind: ['platform', 'not-cloneable', 'object'] } as const satisfies When;
export const dataObject: When = { ...WEB_OBJECT, web: DATA };
export const urlObject: When = { ...WEB_OBJECT, web: URLS };
export const fetchedObject: When = { ...WEB_OBJECT, web: FETCHED };
export const markedObject: When = { ...WEB_OBJECT, web: MARKED_IN_NODE };
export const unmarkedObject: When = { ...WEB_OBJECT, web: NEVER_MARKED };
export const formData: When = { ...WEB_OBJECT, web: FORM_DATA };
/** An object of the platform that the describing runtime clones as an ordinary one, without its data. */
export const EMPTIED_HERE = { kind: 'object', all: ['web-object'], sizeTo: 0 } as const satisfies When;

export const EMPTIED = 'It arrives as an empty object: its data is in private fields, which are not sent.';
export const AS_PARTS = {
  fix: 'Send its data: url.href, [...headers], await response.arrayBuffer().',
  remedies: ['plain'],
} as const satisfies Partial<Rule>;
export const ARRIVES_EMPTY = {
  ...ANYWHERE.losesClass,
  title: 'web object that arrives empty',
  ...AS_PARTS,
} as const satisfies Partial<Rule>;

/** Rules about web objects, for runtimes that follow the standard, or nearly. */
export const platform = ruleTable(ANYWHERE.rejected, {
  'spec/platform-refused': {
    when: { ...WEB_OBJECT, web: [...REFUSED, ...NEVER_MARKED] },
    scope: { runtimes: { bun: '*', chromium: '*', firefox: '*', webkit: '*' } },
    title: 'web object that cannot be cloned',
    why: 'URL, Headers, Request, Response, events, signals and the like have no clone steps: posting one throws a DataCloneError. Node and Deno turn some of them into {}.',
    ...AS_PARTS,
    source: 'HTML StructuredSerializeInternal; seen on Bun 1.3.9 and 1.4.5',
  },
  'spec/form-data-refused': {
    when: formData,
    scope: { runtimes: { bun: '*', chromium: '*', webkit: '*' } },
    title: 'FormData that cannot be cloned',
    why: 'FormData has no clone steps in the standard: posting it throws a DataCloneError. Firefox clones it.',
    fix: 'Send its entries: [...form].',
    remedies: ['plain'],
    source:
      'HTML StructuredSerializeInternal; seen on Bun 1.4.5, Chromium 156, WebKitGTK 2.50 and Firefox 153',
  },
});
