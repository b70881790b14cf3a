/** Type tests by internal slots. The entry of each runtime gives its own, before anything is recorded. */
interface TypeTests {
  /** Nothing tells a Proxy in a page: messages are looked at after they were posted, when they hold none. */
  isProxy(value: unknown): boolean;
  isMap(value: unknown): boolean;
  isSet(value: unknown): boolean;
  isAnyArrayBuffer(value: unknown): boolean;
}

export let types: TypeTests;

export function giveTypeTests(given: TypeTests): void {
  types = given;
}

/** An object that can be read without running code of the program's. */
export const canBeRead = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !types.isProxy(value);
