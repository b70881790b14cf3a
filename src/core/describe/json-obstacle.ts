/** The first value of a payload that JSON text does not give back, in words. */

import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Obstacle } from '../../model/documents/trial.ts';
import type { Kind } from '../../model/vocabulary/shape.ts';
import { type JsonLoss, jsonLossOf, MAX_JSON_DEPTH } from './json-safety.ts';

const FLAG_WORDS: Readonly<Record<JsonLoss, string>> = {
  nan: 'is NaN',
  'negative-zero': 'is -0',
  infinite: 'is not finite',
  holes: 'has holes',
  'named-props': 'has properties beside its elements',
  'symbol-key': 'has a symbol as a key',
  'to-json': 'has a toJSON method',
  repeated: 'occurs more than once',
  cycle: 'contains itself',
  'class-instance': 'is an instance of a class',
  'null-prototype': 'has no prototype',
  subclass: 'is an instance of a subclass',
  accessor: 'has a getter or setter',
  'non-enumerable': 'has a property that is not enumerable',
};

/** Those that can be posted; others have a name of their own, or none. */
const KIND_WORDS: Partial<Record<Kind, string>> = {
  undefined: 'is undefined',
  bigint: 'is a BigInt',
  arguments: 'is an arguments object',
  date: 'is a Date',
  regexp: 'is a RegExp',
  map: 'is a Map',
  set: 'is a Set',
  error: 'is an error',
  boxed: 'is a boxed primitive',
  arraybuffer: 'is an ArrayBuffer',
  sharedarraybuffer: 'is a SharedArrayBuffer',
  typedarray: 'is a typed array',
  dataview: 'is a DataView',
};

const SCALARS: ReadonlySet<Kind> = new Set<Kind>(['null', 'boolean', 'number', 'string']);

/** Null where JSON text gives back an equal payload, or where it is not known why it does not. */
export function jsonObstacle(shape: Shape | null): Obstacle | null {
  if (shape === null) return null;
  const { patterns, depth } = shape;
  const [root] = patterns;
  if (root !== undefined && SCALARS.has(root.kind)) {
    return { path: '$', what: root.kind === 'null' ? 'is null' : `is one ${root.kind}` };
  }
  for (const row of patterns) {
    const what = wordsOf(row);
    if (what !== null) return { path: row.example, what };
  }
  return depth > MAX_JSON_DEPTH
    ? { path: '$', what: `is nested more than ${MAX_JSON_DEPTH} levels deep` }
    : null;
}

function wordsOf(row: Facts): string | null {
  const loss = jsonLossOf(row);
  if (loss === null) return null;
  if ('flag' in loss) return FLAG_WORDS[loss.flag];
  return KIND_WORDS[loss.kind] ?? `is of type ${row.tag ?? loss.kind}`;
}
