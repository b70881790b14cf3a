/** Paths of values that contextBridge passes between the worlds of an Electron page. */
import type { PathRow } from '../../../model/rules/rule.ts';

/** Scope and source that rules and paths of the bridge share. */
export const BRIDGED = {
  scope: { runtimes: { electron: '*' }, channels: ['electron-bridge'] },
  source:
    'Electron shell/renderer/api/electron_api_context_bridge.cc PassValueToOtherContext; seen on Electron 33.2',
} as const;

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
