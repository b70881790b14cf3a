/** The path that V8 takes in Chromium: what ValueSerializer::WriteJSReceiver asks of a value, asked by natives. */

import { filter, flatMap } from '../../core/value/lists.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { type Natives, objectPath } from '../natives/native-functions.ts';
import { v8Natives } from '../natives/natives.ts';
import { notAnswered, type OracleResult, rejectedWith, taken } from '../oracle/oracle-result.ts';
import { valueAt } from '../oracle/value-at.ts';
import { typeDetection } from '../type-detection/type-detection.ts';

const MAX_EXAMPLES = 200;

/** WriteJSArray writes the elements as a block when they are fast and without holes. */
function arrayPath(value: readonly unknown[], natives: Natives): PathName {
  return natives.hasFastElements(value) && !natives.hasHoleyElements(value) ? 'packed-array' : 'holey-array';
}

/** null where natives do not tell: strings, whose width no native shows, and all that V8 writes in one way only. */
function rootPath(value: unknown, natives: Natives): PathName | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return arrayPath(value, natives);
  return typeDetection.of(value).kind === 'object' ? objectPath(value, natives) : null;
}

function findExamples(value: unknown, shape: Shape, natives: Natives): Confirmation['examples'] {
  const arrays = filter(shape.patterns, ({ depth, kind }) => depth > 0 && kind === 'array');
  return flatMap(arrays.slice(0, MAX_EXAMPLES), ({ pattern, example }) => {
    const found = valueAt(value, example);
    return Array.isArray(found) ? [{ pattern, example, path: arrayPath(found, natives) }] : [];
  });
}

function asked(value: unknown, shape: Shape, natives: Natives): OracleResult {
  const path = rootPath(value, natives);
  const evidence =
    path === null ? 'no native tells of such a value' : '%HasFastProperties, %HasHoleyElements';
  return taken(path, evidence, findExamples(value, shape, natives));
}

/**
 * Asks the natives about a fresh value, then clones it, which shows whether it is refused. Not before: what was cloned
 * changes how V8 stores what is built after it. Throws what `fresh` throws.
 */
export async function pageV8Oracle(fresh: () => Promise<unknown>, shape: Shape): Promise<OracleResult> {
  const natives = v8Natives();
  const value = await fresh();
  const answer = natives && asked(value, shape, natives);
  try {
    structuredClone(value);
  } catch (error) {
    return rejectedWith(error, value, shape);
  }
  return answer ?? notAnswered('this browser was not started with natives');
}
