/** WebAssembly modules and memory that older versions of Bun post although their structuredClone refuses them. */
import { callOn, type Method } from '../../core/value/intrinsics.ts';
import { orElse } from '../../model/or-else.ts';
import { types } from './engine-types.ts';

/** Undefined where WebAssembly is switched off. */
const wasm = (
  globalThis as { WebAssembly?: { Module?: { exports: Method }; Memory?: { prototype: object } } }
).WebAssembly;
/** Throws for all other objects (WebAssembly JS API). */
const moduleExports = wasm?.Module?.exports;

/** Bun before 1.4 posts modules, but its structuredClone refuses them. */
export function isWasmModule(value: object): boolean {
  return orElse(
    () => moduleExports !== undefined && Array.isArray(callOn(moduleExports, undefined, value)),
    false,
  );
}

/** Bun before 1.4 posts those on shared memory, but its structuredClone refuses them. */
export function isSharedMemory(value: object, tag: string): boolean {
  const memory = tag === 'Memory' ? wasm?.Memory?.prototype : undefined;
  const memoryBuffer = memory && Reflect.getOwnPropertyDescriptor(memory, 'buffer')?.get;
  return orElse(
    () => memoryBuffer !== undefined && types.isSharedArrayBuffer(callOn(memoryBuffer as Method, value)),
    false,
  );
}
