/** V8 of Chromium and workerd, with natives, which read what decides the path (ValueSerializer::WriteJSReceiver). */

import type { PathName } from '../../model/names.ts';
import { STORED } from '../../value/describe/inspect/flags.ts';
import { byContent, isLatin1, type Storage } from '../../value/describe/inspect/storage.ts';
import { notAnswered, postedFresh, taken } from './oracle-result.ts';
import type { RuntimeProbe } from './probe.ts';
import { typeDetection } from './type-detection.ts';
import { compiledNatives, type Natives, objectPath, v8Storage } from './v8-storage.ts';

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
        const path = natives && rootPath(value, natives);
        // Last, because it changes how V8 stores values that are built later. It shows whether the value is refused.
        structuredClone(value);
        if (natives === null) return notAnswered('this browser was not started with natives');
        if (path === null) return notAnswered('no native tells of such a value');
        return taken(path, '%HasFastProperties, %HasHoleyElements', []);
      }),
  };
}
