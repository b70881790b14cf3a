/**
 * Runs something when the process or worker exits. Node calls `process.emit('exit')` then, and the accessor sees that it
 * is read: a listener would be seen by the program, and a function in its place would be on the stack of every handler.
 */
import { defineProperty, getPrototypeOf } from '../realm/intrinsics.ts';

export function atExit(run: () => void): void {
  const host = process as typeof process & { _exiting?: boolean };
  const prototype = getPrototypeOf(process) as object;
  let emit: unknown = (prototype as { emit: unknown }).emit;
  const get = () => {
    if (host._exiting === true) run();
    return emit;
  };
  defineProperty(prototype, 'emit', {
    configurable: true,
    enumerable: false,
    get,
    set(this: object, value: unknown) {
      if (this === process) {
        emit = value;
        defineProperty(process, 'emit', { configurable: true, enumerable: true, get, set: replace });
      } else defineProperty(this, 'emit', { configurable: true, enumerable: true, writable: true, value });
    },
  });
  function replace(value: unknown): void {
    emit = value;
  }
}
