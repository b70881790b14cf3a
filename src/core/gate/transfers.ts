import type { Facts } from '../../model/shape.ts';
import { parsePath, pathFits } from '../paths.ts';

const BUFFER_KINDS: readonly string[] = ['arraybuffer', 'typedarray', 'dataview'];

/** Memory that cannot change its owner, or that is none of this message's own. */
const BOUND: readonly string[] = ['shared-backing', 'detached', 'wasm-memory', 'pooled'];

/** Can the program put it on the transfer list? */
export function isTransferable({ kind, flags, bytes, tag }: Facts): boolean {
  if (!BUFFER_KINDS.includes(kind)) return flags.some((flag) => flag === 'transferable');
  const isBound = flags.some((flag) => BOUND.includes(flag));
  return !isBound && tag !== 'SharedArrayBuffer' && (bytes?.total ?? 0) > 0;
}

/** `$.pixels.buffer` is how programs write the buffer of the view `$.pixels`. */
const ofView = (path: string) => path.replace(/\.buffer$/, '');

const isPattern = (path: string) =>
  parsePath(path)?.some((step) => ('index' in step ? step.index === null : step.type !== 'key')) ?? false;

/** Are all values of this row among the listed paths? A concrete path covers one value, a pattern all of them. */
export function isListed(row: Facts, listed: readonly string[]): boolean {
  const fitting = [...new Set([...listed, ...listed.map(ofView)])].filter(
    (path) => path === row.pattern || pathFits(path, row.example) || pathFits(row.pattern, path),
  );
  if (fitting.some((path) => path === row.pattern || (isPattern(path) && pathFits(path, row.example))))
    return true;
  return fitting.length >= row.count;
}
