import type { SharedRow } from '../../model/rules/rule.ts';
import { SHARED_MEMORY } from '../standard/common.ts';
import { FAST_OBJECTS, FAST_STRINGS } from './fast-paths.ts';
import { CARRIED, CARRIERS, SHARE } from './strings.ts';

const DUMP = 'SerializedScriptValue.cpp dumpSharedArrayBuffer';
/** Neither interned nor a piece of a longer string. */
const OWN_STRING = { kind: 'string', all: ['units-from-256'], none: ['atom', 'substring'] } as const;

export const shares = [
  { at: 'root', when: OWN_STRING, scope: FAST_STRINGS, on: ['string-shared'], source: SHARE },
  { at: CARRIED, when: OWN_STRING, scope: FAST_OBJECTS, on: CARRIERS, source: SHARE },
  {
    at: 'any',
    when: SHARED_MEMORY,
    scope: { channels: ['worker', 'message-port', 'broadcast'] },
    source: `${DUMP}; seen on Bun 1.2.20-1.4.5`,
  },
  {
    at: 'any',
    when: SHARED_MEMORY,
    scope: { channels: ['structured-clone'], runtimes: { bun: '>=1.4.0' } },
    source: `${DUMP}; seen on Bun 1.3.14 (copied) and 1.4.0`,
  },
] as const satisfies readonly SharedRow[];
