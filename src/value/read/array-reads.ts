/**
 * Reads arrays without changing how the engine stores them. Compiled code that indexes arrays of several kinds, or
 * reads their length, converts each of them in place to the most general kind, and the code that made the array learns
 * to make the next array of that kind: JavaScriptCore (dfg/DFGArrayMode.cpp, Array::Convert; seen on Bun 1.3.10 to
 * 1.4.5), V8 (compiler/access-info.cc, elements kind transitions; seen on Node 20 and 26, Deno 2.9). Copying with
 * `slice`, `Reflect.get` and descriptors are not compiled in this way.
 */
import { methodOf } from './intrinsics.ts';

const { get, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

export const readLength = (array: readonly unknown[]): number => get(array, 'length') as number;

/** @param array of class Array, with plain data elements only; `copiesAreOrdinary` holds. Holes stay holes */
export const readElements = (array: readonly unknown[]): readonly unknown[] => array.slice();

const species = getOwnPropertyDescriptor(Array, Symbol.species)?.get;
const slice = methodOf(Array.prototype, 'slice');

/** True if the functions that copy were not replaced, so that copying runs no user code. */
export function copiesAreOrdinary(): boolean {
  return (
    getOwnPropertyDescriptor(Array.prototype, 'constructor')?.value === Array &&
    getOwnPropertyDescriptor(Array, Symbol.species)?.get === species &&
    methodOf(Array.prototype, 'slice') === slice &&
    getPrototypeOf(Array.prototype) === Object.prototype
  );
}
