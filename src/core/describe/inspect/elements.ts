/** Elements of arrays, and what they say about the storage of the array. */
import { copiesAreOrdinary, readElements } from '../../value/array-reads.ts';
import { isIndexKey } from '../../value/own-data.ts';
import { STRUCTURE } from './flags.ts';
import type { OwnProperties } from './own-properties.ts';
import type { ElementFacts } from './probe.ts';

/** An array whose elements the engine guarantees to be plain data (Storage.elements). */
export function elementsOfArray(value: readonly unknown[], packed: boolean, limit: number): OwnProperties {
  const all = readElements(value);
  if (packed && all.length <= limit) return { bits: 0, steps: null, values: all };
  if (packed) return { bits: STRUCTURE['too-many-items'], steps: null, values: all.slice(0, limit) };
  const steps: number[] = [];
  const values: unknown[] = [];
  let bits = 0;
  for (let i = 0; i < all.length; i++) {
    const element = all[i];
    if (element === undefined && !Object.hasOwn(all, i)) bits |= STRUCTURE.holes;
    else if (steps.length < limit) {
      steps.push(i);
      values.push(element);
    } else bits |= STRUCTURE['too-many-items'];
  }
  return { bits, steps, values };
}

export function elementContent({ bits, steps, values }: OwnProperties, length: number): ElementFacts {
  const count = elementCount(steps, values.length);
  const facts: ElementFacts = {
    length,
    holes: (bits & STRUCTURE.holes) !== 0,
    content: count === 0 ? 'none' : 'int32',
    nan: false,
    observed: bits,
  };
  for (let i = 0; i < count; i++) {
    const element = values[i];
    if (typeof element !== 'number') return { ...facts, content: 'mixed' };
    if (Number.isNaN(element)) facts.nan = true;
    if (element !== (element | 0) || (element === 0 && 1 / element < 0)) facts.content = 'double';
  }
  return facts;
}

/** Values before the first named property. */
export function elementCount(steps: OwnProperties['steps'], all: number): number {
  let count = all;
  while (steps !== null && count > 0 && typeof steps[count - 1] === 'string') count--;
  return count;
}

/** Copying an ordinary array runs no foreign code: its holes read nothing from a prototype, where a getter may be. */
export const arraysAreOrdinary = (): boolean =>
  copiesAreOrdinary() && !hasIndices(Array.prototype) && !hasIndices(Object.prototype);

const hasIndices = (prototype: object): boolean =>
  Reflect.ownKeys(prototype).some((key) => typeof key === 'string' && isIndexKey(key));
