/** Which worker library's envelope a message is, by its keys and the package that posted it. */

import { inRange } from '../../engines/versions/versions.ts';
import type { Site } from '../../model/documents/recorded/call-site.ts';
import type { RecordedMessages } from '../../model/documents/recorded/recording.ts';
import type { ValueTree } from '../../model/documents/recorded/value-tree.ts';
import type { LibraryName } from '../../model/names.ts';
import type { PostingApi } from '../../model/recording/recording.ts';
import { isObject } from '../../value/read/own-data.ts';
import { type Direction, ENVELOPES } from './envelopes.ts';

/** Functions that post from a thread or process to the thread or process that it started. */
const DOWN: ReadonlySet<PostingApi> = new Set([
  'Worker.postMessage',
  'ServiceWorker.postMessage',
  'ChildProcess.send',
]);

const isLibrary = (name: string): name is LibraryName => Object.hasOwn(ENVELOPES, name);

/** null: not posted by a library, or a message between parts of the library, without a value of the user. */
export function recognise(
  sample: ValueTree,
  library: Site['library'],
  api: PostingApi,
): RecordedMessages['envelope'] {
  const { name = '', version = null } = library ?? {};
  if (!isLibrary(name)) return null;
  const isDown = DOWN.has(api);
  const found = (['request', 'reply'] as const).find((direction) => {
    const message = ENVELOPES[name][direction];
    const made = message.wrap(VALUE, []);
    // Arrays have no names, and the message that ends a worker looks like a reply.
    if (Array.isArray(made))
      return isOf(version, message.versions) && (direction === 'request') === isDown && isList(sample, made);
    const forms = [{ versions: message.versions, keys: Object.keys(made) }, ...(message.others ?? [])];
    return forms.some((form) => isOf(version, form.versions) && hasKeys(sample, form.keys, message));
  });
  return found === undefined ? null : { library: name, direction: found };
}

/** Stands for the user's value, which may be any. */
const VALUE = Symbol();

/** A version that is not known, or not written as one, may be any. */
function isOf(version: string | null, versions: string): boolean {
  try {
    return version === null || inRange(version, versions);
  } catch {
    return true;
  }
}

function hasKeys(tree: ValueTree, keys: readonly string[], { inChildren = [] }: Direction): boolean {
  if (!isObject(tree) || tree.is !== 'object' || tree.of !== undefined) return false;
  const found = tree.entries.map(([key]) => key);
  return (
    keys.every((key) => found.includes(key)) &&
    found.every((key) => keys.includes(key) || inChildren.includes(key))
  );
}

/** True if the tree is a list of the same kinds of elements, in any order. */
function isList(tree: ValueTree, made: readonly unknown[]): boolean {
  if (!isObject(tree) || tree.is !== 'array' || tree.of !== undefined) return false;
  const held = tree.items.map(kindOf);
  const wanted = made.filter((part) => part !== VALUE).map(kindOf);
  const count = (kinds: readonly string[], kind: string) => kinds.filter((one) => one === kind).length;
  return held.length === made.length && wanted.every((kind) => count(held, kind) >= count(wanted, kind));
}

/** Kind of a value, or of a value in a tree. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const is = 'is' in value ? value.is : 'array';
  return is === 'text' ? 'string' : String(is);
}
