import type { UnknownRow } from '../../model/rule.ts';
import { GETTER_RESULT } from '../common.ts';
import { FAST_OBJECTS, FAST_STRINGS } from './fast-paths.ts';
import { CARRIED, CARRIERS, SHARE } from './strings.ts';

/** What can only be observed by cloning. */
export const unknowns = [
  {
    what: 'share-or-copy',
    at: 'root',
    when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
    scope: FAST_STRINGS,
    on: ['string-shared'],
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-substring' },
    source: SHARE,
  },
  {
    what: 'share-or-copy',
    at: CARRIED,
    when: { kind: 'string', all: ['units-from-256', 'share-unknown'] },
    scope: FAST_OBJECTS,
    on: CARRIERS,
    otherwise: { path: 'string-copied', class: 'bulk', rule: 'jsc/string-value-copied' },
    source: SHARE,
  },
  {
    what: 'delete-history',
    at: ['root', 'element'],
    when: { kind: 'object', none: ['hidden-state'] },
    scope: FAST_OBJECTS,
    on: ['simple-object', 'dense-array'],
    otherwise: { path: 'serializer', class: 'serialized', rule: 'jsc/hidden-state' },
    source: 'SerializedScriptValue.cpp isObjectFastPathCandidate, structure flags; seen on Bun 1.2.22-1.4.5',
  },
  {
    ...GETTER_RESULT,
    on: ['serializer'],
    source:
      'SerializedScriptValue.cpp CloneSerializer::getProperty; HTML StructuredSerializeInternal, [[Get]]',
  },
] as const satisfies readonly UnknownRow[];
