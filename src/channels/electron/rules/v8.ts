/** Rules for contextBridge of Electron, which copies some values by its own steps and others by V8's serializer. */

import { GETTER, TOO_DEEP } from '../../../engines/standard/common.ts';
import { AS_PARTS, WEB_OBJECT, WITHOUT_CLONE_STEPS } from '../../../engines/standard/platform.ts';
import { PLATFORM_POSTS } from '../../../engines/standard/platform-posts.ts';
import { type PathRow, ruleTable, type When } from '../../../model/rules/rule.ts';

const MODULE_FIX = 'Send the bytes that it was compiled from.';

const BRIDGED = {
  scope: { runtimes: { electron: '*' }, channels: ['electron-bridge'] },
  source:
    'Electron shell/renderer/api/electron_api_context_bridge.cc PassValueToOtherContext; seen on Electron 33.2',
} as const;

/** Most rules are about values that are not in a Map or Set, whose content V8 writes. */
const OVER_BRIDGE = { level: 'lossy', at: 'outside', ...BRIDGED } as const;

export const bridgePaths = [
  {
    path: 'identity',
    costs: 'shared',
    root: { kind: ['undefined', 'null', 'boolean', 'number', 'bigint', 'string', 'symbol'] },
    ...BRIDGED,
    title: 'primitive, handed over',
    why: 'Both worlds of a page are in one heap: a primitive is handed over without a copy, a string of any length too.',
  },
  {
    path: 'bridge',
    costs: 'degraded',
    root: {
      kind: [
        'object',
        'array',
        'error',
        'function',
        'promise',
        'platform',
        'not-cloneable',
        'weakref',
        'iterator',
      ],
    },
    ...BRIDGED,
    title: 'copied property by property',
    why: 'Objects and arrays are copied by steps of contextBridge: each property is looked up, converted and defined by calls into V8.',
  },
  {
    path: 'serializer',
    costs: 'serialized',
    root: {},
    ...BRIDGED,
    title: 'serializer',
    why: "A Map, a Set, a date and bytes go through V8's serializer, each by itself.",
  },
] as const satisfies readonly PathRow[];

const MODULE = { kind: 'platform', tag: ['Module'] } as const satisfies When;
const CYCLE_FIX = 'Put it into an object, such as { items }, and refer to that object.';
const COLLECTION_ITERATORS: readonly string[] = ['Map Iterator', 'Set Iterator'];

export const electronBridge = ruleTable(OVER_BRIDGE, {
  'v8/bridge-function': {
    level: 'note',
    when: { kind: ['function', 'promise'] },
    title: 'function or promise over a bridge',
    why: 'The other world gets a function or a promise that stands for it: what is given to it, and what it gives, is copied as well, at each call.',
  },
  'v8/bridge-in-collection': {
    level: 'rejected',
    at: 'in-collection',
    when: [
      { kind: ['function', 'symbol', 'promise', 'weakref', 'iterator'] },
      { kind: 'not-cloneable', notTag: WITHOUT_CLONE_STEPS },
    ],
    title: 'function, symbol or promise in a Map or Set over a bridge',
    why: 'The content of a Map or Set goes through V8\'s serializer, which refuses it, with "An object could not be cloned".',
    fix: 'Use an object or an array in place of the Map or Set.',
    remedies: ['plain'],
  },
  'v8/bridge-refused': {
    level: 'rejected',
    at: 'any',
    when: [
      { kind: ['weakmap', 'weakset', 'module-namespace', 'sharedarraybuffer'] },
      { kind: ['typedarray', 'dataview'], all: ['shared-backing'] },
      { kind: 'iterator', tag: COLLECTION_ITERATORS },
      { kind: ['platform', 'not-cloneable'], tag: ['Memory'] },
    ],
    title: 'refused by a bridge',
    why: 'V8\'s serializer is asked, without steps of the platform, and refuses it, with "An object could not be cloned".',
    fix: 'Send its data as an object or an array.',
    remedies: ['plain'],
  },
  'v8/bridge-module': {
    at: 'nested',
    // Each reference to the module arrives as null.
    when: [MODULE, { ...MODULE, all: ['repeated'] }],
    loses: ['value', 'result'],
    title: 'WebAssembly module over a bridge, refused as a result',
    why: 'As an argument it is written without an error, and cannot be read: null arrives in its place, and in that of a Map or Set around it. As a result the call throws.',
    fix: MODULE_FIX,
  },
  'v8/bridge-module-alone': {
    level: 'rejected',
    at: ['root', 'in-root'],
    when: MODULE,
    title: 'WebAssembly module as the payload over a bridge',
    why: 'As an argument, alone or in a Map or Set that is the argument, it is written without an error, and cannot be read: the function gets null. As a result the call throws.',
    fix: MODULE_FIX,
  },
  'v8/bridge-array-cycle': {
    level: 'rejected',
    when: { kind: 'array', all: ['cycle', 'array-cycle'] },
    title: 'array among its own elements over a bridge',
    why: 'An array counts as copied when all its elements are. One that is among them, or in an array among them, is copied again and again, until the call throws a TypeError, "recursion depth exceeded".',
    fix: CYCLE_FIX,
  },
  'v8/bridge-array-copied': {
    level: 'note',
    when: { kind: 'array', all: ['cycle'], none: ['array-cycle'] },
    loses: 'value',
    title: 'array that contains itself over a bridge',
    why: 'An array counts as copied when all its elements are: an object among them that refers back to it gets another copy.',
    fix: CYCLE_FIX,
  },
  'v8/bridge-too-deep': {
    ...TOO_DEEP,
    when: [
      { kind: 'array', payloadDepthFrom: 1001 },
      { kind: 'object', payloadDepthFrom: 501 },
    ],
    why: 'Beyond 1,000 levels the call throws a TypeError, "recursion depth exceeded"; a level of objects counts twice.',
  },
  'v8/bridge-emptied': {
    when: [
      { kind: 'weakref' },
      { kind: 'iterator', notTag: COLLECTION_ITERATORS },
      { ...WEB_OBJECT, web: WITHOUT_CLONE_STEPS },
      { kind: 'platform', posted: { by: PLATFORM_POSTS, all: ['emptied'] } },
    ],
    loses: ['class', 'value', 'property', 'attributes'],
    title: 'web object over a bridge',
    why: 'It is copied as an ordinary object, by its own properties: of most objects of the platform an empty object arrives. Only a Blob, a File and elements of the page are handed over.',
    ...AS_PARTS,
  },
  'v8/bridge-emptied-in-collection': {
    at: 'in-collection',
    when: [
      { ...WEB_OBJECT, web: WITHOUT_CLONE_STEPS },
      { kind: 'platform', notTag: ['Module', 'Memory'] },
    ],
    loses: ['class', 'value', 'property', 'attributes', 'getter'],
    title: 'web object in a Map or Set over a bridge',
    why: "The content of a Map or Set goes through V8's serializer, without steps of the platform: an object with its own properties arrives, of a Blob too.",
    ...AS_PARTS,
  },
  'v8/bridge-holes': {
    when: { kind: 'array', all: ['holes'] },
    loses: 'value',
    title: 'array with holes over a bridge',
    why: 'The elements are copied one by one: each hole arrives as undefined.',
    fix: 'Send the pairs of index and value, or a Map.',
  },
  'v8/bridge-array-props': {
    when: { kind: 'array', any: ['named-props', 'symbol-key'] },
    loses: 'property',
    title: 'named property of an array over a bridge',
    why: 'Only the elements of an array are copied.',
    fix: 'Send such properties beside the array.',
  },
  'v8/bridge-accessor': {
    at: 'any',
    when: GETTER,
    loses: ['getter', 'property', 'result'],
    title: 'getter over a bridge',
    why: 'The getter runs, and its result arrives as a plain value. Where it throws, the property of an argument is missing, without an error; of a result, the call throws.',
    fix: 'Copy the value to a data property before.',
    remedies: ['rebuild'],
  },
  'v8/bridge-proto-key': {
    when: { kind: 'object', all: ['proto-key'] },
    loses: 'property',
    title: 'key __proto__ over a bridge',
    why: 'A property of this name is assigned, so it does not arrive; an object there becomes the prototype.',
    fix: 'Use another key, or a Map.',
  },
  'v8/bridge-written': {
    at: 'in-collection',
    when: [
      { kind: ['object', 'array', 'map', 'set'], all: ['symbol-key'] },
      { kind: 'error', any: ['subclass', 'extra-props', 'aggregate', 'accessor', 'altered-slot'] },
    ],
    loses: ['class', 'property', 'value'],
    title: 'symbol key or own error in a Map or Set over a bridge',
    why: "The content of a Map or Set goes through V8's serializer, which leaves out symbol keys, and of an error its class and its own properties.",
    fix: 'Use string keys, and send name, message and stack as a plain object.',
    remedies: ['plain'],
  },
  'v8/bridge-shared': {
    level: 'note',
    at: 'in-collection',
    when: {
      kind: ['object', 'array', 'date', 'map', 'set', 'typedarray', 'arraybuffer', 'platform'],
      any: ['repeated', 'collection-cycle'],
    },
    also: [{ at: 'outside', when: { kind: 'error', all: ['repeated'] } }],
    loses: 'value',
    title: 'error, or content of a Map or Set, sent twice over a bridge',
    why: 'Each Map, Set and error is copied by itself: what it shares with the rest of the payload arrives as a copy.',
  },
  'v8/bridge-error': {
    when: [
      { kind: 'error', notTag: ['Error'] },
      { kind: 'error', any: ['subclass', 'extra-props', 'aggregate', 'altered-slot', 'has-cause'] },
    ],
    loses: ['class', 'property', 'value'],
    title: 'error over a bridge',
    why: 'A new Error with the same message arrives: its class, name, cause, stack and other properties are lost.',
    fix: 'Send name, message and stack as a plain object.',
    remedies: ['plain'],
  },
});
