/**
 * Reads arrays without changing how the engine stores them. Compiled code that indexes arrays of several kinds, or asks
 * for their length, converts each of them in place to the most general kind, and the code that made the array learns to
 * make the next one like that: JavaScriptCore (dfg/DFGArrayMode.cpp, Array::Convert; seen on Bun 1.3.10 to 1.4.5), V8
 * (compiler/access-info.cc, elements kind transitions; seen on Node 20 and 26, Deno 2.9). `slice` and descriptors are
 * not compiled in this way.
 */
import { methodOf } from './intrinsics.ts';

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

const slice = methodOf(Array.prototype, 'slice')!;
const NO_ARGUMENTS: readonly unknown[] = [];

export function lengthOf(array: readonly unknown[]): number {
  return getOwnPropertyDescriptor(array, 'length')!.value as number;
}

/**
 * A copy to read from. Holes stay holes.
 *
 * @param array with plain data elements only, of class Array; `slicesAreArrays` holds
 */
export function elementsOf(array: readonly unknown[]): readonly unknown[] {
  return apply(slice, array, NO_ARGUMENTS) as readonly unknown[];
}

const species = getOwnPropertyDescriptor(Array, Symbol.species)?.get;

/** `slice` of an ordinary array runs no foreign code: nobody has changed what it makes its result with. */
export function slicesAreArrays(): boolean {
  return (
    getOwnPropertyDescriptor(Array.prototype, 'constructor')?.value === Array &&
    getOwnPropertyDescriptor(Array, Symbol.species)?.get === species &&
    getPrototypeOf(Array.prototype) === Object.prototype
  );
}
