/**
 * Reads arrays without changing how the engine stores them. Compiled code that indexes arrays of several kinds, or asks
 * for their length, converts each of them in place to the most general kind, and the code that made the array learns to
 * make the next one like that: JavaScriptCore (dfg/DFGArrayMode.cpp, Array::Convert; seen on Bun 1.3.10 to 1.4.5), V8
 * (compiler/access-info.cc, elements kind transitions; seen on Node 20 and 26, Deno 2.9). Copying
 * with `slice`, spread and `set`, and descriptors, are not compiled in this way.
 */
import { methodOf } from './intrinsics.ts';

const { apply, get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

const slice = methodOf(Array.prototype, 'slice')!;
const NO_ARGUMENTS: readonly unknown[] = [];

export const lengthOf = (array: readonly unknown[]): number => get(array, 'length') as number;

/**
 * A copy to read from. Holes stay holes.
 *
 * @param array with plain data elements only, of class Array; `copiesAreOrdinary` holds
 */
export function elementsOf(array: readonly unknown[]): readonly unknown[] {
  return apply(slice, array, NO_ARGUMENTS) as readonly unknown[];
}

/** The same for an array without holes, in half the time. */
export const packedElementsOf = (array: readonly unknown[]): readonly unknown[] => [...array];

const set = methodOf(getPrototypeOf(Float64Array.prototype) as object, 'set')!;
/** For the usual arrays, which are small: by length, all on one memory. */
const small: Float64Array[] = [];
for (let length = 0, memory = new ArrayBuffer(8 * 64); length <= 64; length++)
  small.push(new Float64Array(memory, 0, length));

/** The elements of an array that holds nothing but numbers, and no hole; valid until the next call. */
export function numbersOf(array: readonly unknown[], length: number): Float64Array {
  const numbers = small[length] ?? new Float64Array(length);
  apply(set, numbers, [array]);
  return numbers;
}

const species = getOwnPropertyDescriptor(Array, Symbol.species)?.get;
const iterator = methodOf(Array.prototype, Symbol.iterator);
const iteratorPrototype = getPrototypeOf([][Symbol.iterator]()) as object;
const next = methodOf(iteratorPrototype, 'next');

/** Copying an ordinary array runs no foreign code: nobody has changed how arrays are iterated, and made by `slice`. */
export function copiesAreOrdinary(): boolean {
  return (
    getOwnPropertyDescriptor(Array.prototype, 'constructor')?.value === Array &&
    getOwnPropertyDescriptor(Array, Symbol.species)?.get === species &&
    methodOf(Array.prototype, Symbol.iterator) === iterator &&
    methodOf(iteratorPrototype, 'next') === next &&
    getPrototypeOf(Array.prototype) === Object.prototype
  );
}
