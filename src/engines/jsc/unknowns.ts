import type { UnknownRow } from '../../model/rule.ts';
import { FAST_OBJECTS, FAST_STRINGS } from './context.ts';
import { CARRIED, CARRIERS, SHARE } from './strings.ts';

/** What only the clone itself can say. */
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
    what: 'getter-result',
    at: 'any',
    when: [
      { kind: 'object', all: ['enumerable-accessor'] },
      { kind: 'array', all: ['accessor'] },
    ],
    on: ['serializer'],
    otherwise: { path: 'rejected', class: 'rejected', rule: null },
    source:
      'SerializedScriptValue.cpp CloneSerializer::getProperty; HTML StructuredSerializeInternal, [[Get]]',
  },
] as const satisfies readonly UnknownRow[];
