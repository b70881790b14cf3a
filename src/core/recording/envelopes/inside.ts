import type { ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import type { LibraryName } from '../../../model/names.ts';
import { isObject } from '../../value/own-data.ts';
import { valueKeys } from './envelopes.ts';

/**
 * The value in the envelope of a request; undefined if it is not there.
 *
 * @param message as it was recorded
 */
export function inside(message: ValueTree, library: LibraryName): ValueTree | undefined {
  let at: ValueTree | undefined = message;
  for (const key of valueKeys(library, 'request')) {
    if (!isObject(at)) return undefined;
    if (typeof key === 'number') at = at.is === 'array' && at.of === undefined ? at.items[key] : undefined;
    else at = at.is === 'object' ? at.entries.find(([name]) => name === key)?.[1] : undefined;
  }
  return at;
}
