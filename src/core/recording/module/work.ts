/** Refuses messages that are too large to be made again: a recording may come from anywhere. */
import type { ValueTree } from '../../../model/documents/recorded/value-tree.ts';
import { ToolError } from '../../../model/errors.ts';
import { isObject } from '../../value/own-data.ts';
import { childrenOf } from '../values/tree-children.ts';
import { standsForAll } from './shared-values.ts';

/** Values that a module makes. */
const MAX_VALUES = 20_000_000;
/** Bytes of texts and buffers together. */
const MAX_BYTES = 2 ** 30;

type Work = Record<'values' | 'bytes', number>;

/** @throws ToolError 'document-bad' for what is too large to be made */
export function checkWork(tree: ValueTree): void {
  const { values, bytes } = workOf(tree);
  if (values > MAX_VALUES) throw refused(`it claims ${values} values, and ${MAX_VALUES} can be made`);
  if (bytes > MAX_BYTES)
    throw refused(`it claims ${bytes} bytes of text and memory, and ${MAX_BYTES} can be made`);
}

const refused = (detail: string) =>
  new ToolError('document-bad', {
    ...{ file: 'the recorded sample', value: 'sample' },
    detail: `${detail}. Record again, or choose other sites with --site`,
  });

function workOf(tree: ValueTree): Work {
  if (!isObject(tree)) return { values: 1, bytes: 0 };
  const children = childrenOf(tree);
  const inside: Work = { values: 0, bytes: 0 };
  for (const child of children) {
    const own = workOf(child);
    inside.values += own.values;
    inside.bytes += own.bytes;
  }
  const of = 'of' in tree ? (tree.of ?? 0) : 0;
  const times = standsForAll(tree) ? Math.max(1, of / Math.max(1, children.length)) : 1;
  const own = tree.is === 'text' ? 2 * tree.units : tree.is === 'buffer' ? tree.bytes : 0;
  const stack = tree.is === 'error' ? (tree.stack ?? 0) : 0;
  // An array without its items is made by its length.
  const slots = tree.is === 'array' && children.length === 0 ? of : 0;
  return {
    values: Math.round(1 + slots + times * inside.values),
    bytes: Math.round(own + stack + times * inside.bytes),
  };
}
