/**
 * Code for the values at paths: one expression at a path of plain keys, or the transfer list of all values at patterns.
 * For any other value at the path, an expression either throws or gives an equal result. Plans for it have a field
 * `inline`. Proofs, timing and modules use functions instead, which do the same and accept values of any form.
 */
import { type PathStep, parsePath } from '../../value/read/paths.ts';
import type { PatternRows } from '../remedies/facts/shape-index.ts';
import { literal, member, propertyName } from './javascript.ts';

/** Maximum path length and number of paths; beyond it, functions are easier to read. */
const MAX_KEYS = 3;

/** True if all steps are plain keys. `__proto__` is excluded: in an object literal it would set the prototype. */
export const hasPlainKeys = ({ steps }: PatternRows): boolean =>
  steps.every((step) => step.type === 'key' && step.key !== '__proto__');

/** True if exactly one value is at the path, in one row, and an expression can name it. */
export const isInline = (at: PatternRows): boolean =>
  at.count === 1 && at.rows.length === 1 && at.steps.length <= MAX_KEYS && hasPlainKeys(at);

/** @throws TypeError for a path that `isInline` excludes */
export function plainKeys(path: string): string[] {
  return parsePath(path)!.map((step) => {
    if (step.type === 'key' && step.key !== '__proto__') return step.key;
    throw new TypeError(`${path} does not lead to one value`);
  });
}

/** `payload.image.data` */
export const readAt = (from: string, keys: readonly string[]): string => from + keys.map(member).join('');

/** `{ ...payload, data: payload.data.slice() }`: copies the containers on the path, with a new value at its end. */
export function replacedAt(path: string, change: (expression: string) => string): string {
  const keys = plainKeys(path);
  return keys.reduceRight(
    (inner, key, depth) =>
      `{ ...${readAt('payload', keys.slice(0, depth))}, ${propertyName(key)}: ${inner} }`,
    change(readAt('payload', keys)),
  );
}

/** True if code can read the values at the path; entries of Maps and Sets are included. */
export function canCollect(path: string): boolean {
  return parsePath(path)?.every((step) => step.type !== 'deeper' && step.type !== 'cut') ?? false;
}

/** Access to a property that may be absent. `__proto__` is read only as an own property. */
function property(value: string, key: string): string {
  if (key === '__proto__') return `Object.getOwnPropertyDescriptor(${value} ?? {}, ${literal(key)})?.value`;
  return `${value}?.${member(key).replace(/^\./, '')}`;
}

/** The loop over the values one step below `value`. */
function loop(step: PathStep, value: string, item: string): string {
  if (step.type === 'index') return `if (Array.isArray(${value})) for (const ${item} of ${value})`;
  if (step.type !== 'entry') return `for (const ${item} of Object.values(${value} ?? {}))`;
  const type = step.part === 'member' ? 'Set' : 'Map';
  const method = step.part === 'key' ? 'keys' : 'values';
  return `if (${value} instanceof ${type}) for (const ${item} of ${value}.${method}())`;
}

function statement(path: string, pick: string): string {
  const steps = parsePath(path)!;
  let value = steps.length === 0 ? 'message' : 'parts';
  const loops: string[] = [];
  for (const step of steps)
    if (step.type === 'key') value = property(value, step.key);
    else {
      const item = `item${loops.length + 1}`;
      loops.push(loop(step, value, item));
      value = item;
    }
  return [...loops, `add(${pick}(${value}));`]
    .map((line, depth) => `${'  '.repeat(depth + 1)}${line}`)
    .join('\n');
}

/** Type of values that may be absent: it lets the code follow a path in any payload. */
const PARTS = '  /*type Parts = { [key: string]: Parts } | undefined; */';

/** Declares `transferList(message)`: the buffers that `pick` finds at the paths, once each, as engines demand. */
export function declareTransferList(paths: readonly string[], pick: string, type = 'Payload'): string {
  const isBelow = paths.some((path) => path !== '$');
  return [
    `function transferList(message/*: ${type} */)/*: ArrayBuffer[] */ {`,
    ...(isBelow ? [PARTS, '  const parts = message/*as unknown as Parts */;'] : []),
    '  const found = new Set/*<ArrayBuffer> */();',
    '  const add = (buffer/*: ArrayBuffer | null */) => {',
    '    if (buffer !== null) found.add(buffer);',
    '  };',
    ...paths.map((path) => statement(path, pick)),
    '  return [...found];',
    '}',
  ].join('\n');
}
