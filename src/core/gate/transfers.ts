import type { Facts } from '../../model/documents/shape.ts';
import { parsePath, pathFits } from '../paths.ts';
import { has, isBuffer } from '../shape-facts.ts';

/** Can the program put it on the transfer list? Not memory that cannot change its owner, or that others use too. */
export function isTransferable(row: Facts): boolean {
  if (!isBuffer(row)) return has(row, 'transferable');
  const isFixed = has(row, 'shared-backing', 'detached', 'wasm-memory', 'pooled');
  return !isFixed && row.tag !== 'SharedArrayBuffer' && (row.bytes?.total ?? 0) > 0;
}

/** Programs write the buffer of the view `$.pixels` as `$.pixels.buffer`. */
const viewOf = (path: string) => path.replace(/\.buffer$/, '');

const isPattern = (path: string) =>
  parsePath(path)?.some((step) => ('index' in step ? step.index === null : step.type !== 'key')) ?? false;

/** Are all values of this row among the listed paths? A concrete path covers one value, a pattern all of them. */
export function isListed(row: Facts, listed: readonly string[]): boolean {
  const matching = [...new Set([...listed, ...listed.map(viewOf)])].filter(
    (path) => path === row.pattern || pathFits(path, row.example) || pathFits(row.pattern, path),
  );
  if (matching.some((path) => path === row.pattern || (isPattern(path) && pathFits(path, row.example))))
    return true;
  return matching.length >= row.count;
}
