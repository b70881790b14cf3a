/** What a program lists beside a message: paths that the user names, or what the module of the payload says. */
import { type PathStep, parsePath } from '../../core/paths.ts';
import { filter, flatMap } from '../../core/value/lists.ts';
import { ownData } from '../../core/value/own-data.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import { loadModule, thrownBy } from './module.ts';

/** Name of the export that gives the transfer list of each other export: `transfer(value, name)`. */
export const TRANSFER_EXPORT = 'transfer';

/** It lists the buffers of other exports, and is no payload unless it is asked for by name. */
export const isTransferExport = (name: string, value: unknown): boolean =>
  name === TRANSFER_EXPORT && typeof value === 'function';

export type TransferList = (value: unknown) => Transferable[];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function childrenAt(value: unknown, step: PathStep): unknown[] {
  if (!isObject(value)) return [];
  if (step.type === 'key' && step.key === 'buffer' && ArrayBuffer.isView(value)) return [value.buffer];
  if (step.type === 'key') return [ownData(value, step.key)];
  if (step.type === 'index' && step.index !== null) return [ownData(value, String(step.index))];
  if (step.type === 'index') return Array.isArray(value) ? flatMap(value, (one) => [one]) : [];
  return step.type === 'any-key' ? Object.values(value) : [];
}

/** A view is listed by its buffer. */
function listedAt(root: unknown, path: string): Transferable[] {
  let values: unknown[] = [root];
  for (const step of parsePath(path) ?? []) values = flatMap(values, (value) => childrenAt(value, step));
  return flatMap(filter(values, isObject), (value) =>
    ArrayBuffer.isView(value) ? [value.buffer as ArrayBuffer] : [value as Transferable],
  );
}

const distinct = (list: readonly Transferable[]): Transferable[] => [...new Set(list)];

/**
 * The transfer list of values of this recipe; null where it has none.
 *
 * @throws ToolError of loading the module; the result throws what the user's function throws ('factory-threw')
 */
export async function readTransferList({ build, transfer = [] }: Recipe): Promise<TransferList | null> {
  if (transfer.length > 0) return (value) => distinct(flatMap(transfer, (path) => listedAt(value, path)));
  if (build.form !== 'module' || build.export === TRANSFER_EXPORT) return null;
  const module = { file: build.file, name: build.original };
  const listed = (await loadModule(module, { only: TRANSFER_EXPORT })).exports.get(TRANSFER_EXPORT);
  if (typeof listed !== 'function') return null;
  return (value) => {
    try {
      return distinct(Array.from(listed(value, build.export) as Iterable<Transferable>));
    } catch (error) {
      throw thrownBy('factory-threw', error, module, TRANSFER_EXPORT);
    }
  };
}
