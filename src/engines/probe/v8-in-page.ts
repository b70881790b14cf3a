/**
 * V8 of Chromium and workerd, started with natives, which read what decides the path
 * (ValueSerializer::WriteJSReceiver).
 */

import type { Shape } from '../../model/documents/shape.ts';
import type { PathName } from '../../model/names.ts';
import type { Confirmation } from '../../model/wire/wire.ts';
import { STORED } from '../../value/describe/inspect/flags.ts';
import { byContent, isLatin1, type Storage } from '../../value/describe/inspect/storage.ts';
import { filter } from '../../value/read/lists.ts';
import { examplesIn, notAnswered, postedFresh, taken } from './oracle-result.ts';
import type { RuntimeProbe } from './probe.ts';
import { typeDetection } from './type-detection.ts';
import { compiledNatives, type Natives, objectPath, v8Storage } from './v8-storage.ts';

const MAX_EXAMPLES = 200;

/** WriteJSArray writes the elements as a block when they are fast and without holes. */
function arrayPath(value: readonly unknown[], natives: Natives): PathName {
  return natives.hasFastElements(value) && !natives.hasHoleyElements(value) ? 'packed-array' : 'holey-array';
}

/** null if natives do not show it: strings, whose width no native shows, and all that V8 writes in one way only. */
function rootPath(value: unknown, natives: Natives): PathName | null {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return arrayPath(value, natives);
  return typeDetection().of(value).kind === 'object' ? objectPath(value, natives) : null;
}

function asked(value: unknown, shape: Shape, natives: Natives): Confirmation {
  const path = rootPath(value, natives);
  const evidence =
    path === null ? 'no native tells of such a value' : '%HasFastProperties, %HasHoleyElements';
  const arrays = filter(shape.patterns, ({ depth, kind }) => depth > 0 && kind === 'array');
  const examples = examplesIn(value, arrays.slice(0, MAX_EXAMPLES), (found) =>
    Array.isArray(found) ? arrayPath(found, natives) : null,
  );
  return taken(path, evidence, examples);
}

/** Nothing reports it: JSON.parse stores Latin-1 text with one byte a unit, TextDecoder and `fetch().text()` wide. */
const stringWidth = (fromJson: boolean): Storage['string'] =>
  fromJson ? byContent : (text) => (isLatin1(text) ? 0 : STORED['two-byte']);

/** Called before user code runs. `storage` gives null if there are no natives. */
export function v8InPage(): Pick<RuntimeProbe, 'storage' | 'confirm'> {
  const natives = compiledNatives();
  return {
    storage: async (fromJson) => natives && v8Storage(natives, stringWidth(fromJson)),
    confirm: (fresh, shape) =>
      postedFresh(fresh, shape, (value) => {
        const answer = natives && asked(value, shape, natives);
        // Last, because it changes how V8 stores values that are built later. It shows whether the value is refused.
        structuredClone(value);
        return answer ?? notAnswered('this browser was not started with natives');
      }),
  };
}
