/** Rules for contextBridge of Electron, which copies some values by its own steps and others by V8's serializer. */

import {
  AS_PARTS,
  BYTES_OF_CODE,
  WEB_OBJECT,
  WITHOUT_CLONE_STEPS,
} from '../../../engines/standard/platform.ts';
import { PLATFORM_POSTS } from '../../../engines/standard/platform-posts.ts';
import { type PathRow, ruleTable, type When } from '../../../model/rules/rule.ts';

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
const COLLECTION_ITERATORS: readonly string[] = ['Map Iterator', 'Set Iterator'];

export const electronBridge = ruleTable(OVER_BRIDGE, {
  'v8/bridge-refused': {
    level: 'rejected',
    at: 'any',
    when: [
      { kind: ['weakmap', 'weakset', 'module-namespace', 'sharedarraybuffer'] },
      { kind: ['typedarray', 'dataview'], all: ['shared-backing'] },
      { kind: 'iterator', tag: COLLECTION_ITERATORS },
      { kind: ['platform', 'not-cloneable'], tag: ['Memory'] },
    ],
    also: [
      {
        at: 'in-collection',
        when: [
          { kind: ['function', 'symbol', 'promise', 'weakref', 'iterator'] },
          { kind: 'not-cloneable', notTag: WITHOUT_CLONE_STEPS },
        ],
      },
    ],
    title: 'refused by a bridge',
    why: 'V8\'s serializer, without steps of the platform, refuses it, with "An object could not be cloned"; the content of a Map or Set goes through it as well.',
    fix: 'Send its data as an object or an array, and use one in place of a Map or Set.',
    remedies: ['plain'],
  },
  'v8/bridge-module': {
    at: 'nested',
    // Each reference to the module arrives as null.
    when: [MODULE, { ...MODULE, all: ['repeated'] }],
    loses: ['value', 'result'],
    title: 'WebAssembly module over a bridge, refused as a result',
    why: 'As an argument it is written without an error, and cannot be read: null arrives in its place, and in that of a Map or Set around it. As a result the call throws.',
    fix: BYTES_OF_CODE,
  },
  'v8/bridge-module-alone': {
    level: 'rejected',
    at: ['root', 'in-root'],
    when: MODULE,
    title: 'WebAssembly module as the payload over a bridge',
    why: 'As an argument, alone or in a Map or Set that is the argument, it is written without an error, and cannot be read: the function gets null. As a result the call throws.',
    fix: BYTES_OF_CODE,
  },
  'v8/bridge-array-cycle': {
    level: 'rejected',
    when: { kind: 'array', all: ['cycle', 'array-cycle'] },
    title: 'array among its own elements over a bridge',
    why: 'An array counts as copied when all its elements are. One that is among them, or in an array among them, is copied again and again, until the call throws a TypeError, "recursion depth exceeded".',
    fix: 'Put it into an object, such as { items }, and refer to that object.',
  },
  'v8/bridge-emptied': {
    when: [
      { kind: 'weakref' },
      { kind: 'iterator', notTag: COLLECTION_ITERATORS },
      { ...WEB_OBJECT, web: WITHOUT_CLONE_STEPS },
      { kind: 'platform', posted: { by: PLATFORM_POSTS, all: ['emptied'] } },
    ],
    loses: ['class', 'value', 'property', 'attributes'],
    also: [
      {
        at: 'in-collection',
        when: [
          { ...WEB_OBJECT, web: WITHOUT_CLONE_STEPS },
          { kind: 'platform', notTag: ['Module', 'Memory'] },
        ],
        loses: ['class', 'value', 'property', 'attributes', 'getter'],
      },
    ],
    title: 'web object over a bridge',
    why: 'It is copied as an ordinary object, by its own properties: of most objects of the platform an empty object arrives. Only a Blob, a File and elements of the page are handed over, outside of a Map or Set.',
    ...AS_PARTS,
  },
  'v8/bridge-array': {
    when: { kind: 'array', all: ['holes'] },
    loses: 'value',
    also: [{ when: { kind: 'array', any: ['named-props', 'symbol-key'] }, loses: 'property' }],
    title: 'hole or named property of an array over a bridge',
    why: 'Only the elements are copied, one by one: each hole arrives as undefined.',
    fix: 'Send the pairs of index and value, and named properties beside the array.',
  },
  'v8/bridge-proto-key': {
    when: { kind: 'object', all: ['proto-key'] },
    loses: 'property',
    title: 'key __proto__ over a bridge',
    why: 'A property of this name is assigned, so it does not arrive; an object there becomes the prototype.',
    fix: 'Use another key, or a Map.',
  },
  'v8/bridge-error': {
    when: [
      { kind: 'error', notTag: ['Error'] },
      { kind: 'error', any: ['subclass', 'extra-props', 'aggregate', 'altered-slot', 'has-cause'] },
    ],
    also: [
      {
        at: 'in-collection',
        when: [
          { kind: ['object', 'array', 'map', 'set'], all: ['symbol-key'] },
          { kind: 'error', any: ['subclass', 'extra-props', 'aggregate', 'accessor', 'altered-slot'] },
        ],
      },
    ],
    loses: ['class', 'property', 'value'],
    title: 'error over a bridge, or symbol key in a Map or Set',
    why: 'A new Error with the same message arrives: its class, name, cause, stack and other properties are lost. In a Map or Set, properties of errors and those under symbols are.',
    fix: 'Use string keys, and send name, message and stack as a plain object.',
    remedies: ['plain'],
  },
});
