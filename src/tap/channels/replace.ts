/** Functions that take the place of the runtime's own. */

import { types } from 'node:util';
import type { Call } from '../messages/recorder.ts';
import { defineProperty, getOwnPropertyDescriptor, hasOwn } from '../realm/intrinsics.ts';
import { stackCleaner } from '../records/clean-stack.ts';

/** `__filename`: of the one file that all of the tap is bundled into. */
export const cleaned = stackCleaner(__filename, types.isProxy);

/** What is called in place of a function. @param patch itself: frames above it are the program's */
type Body = (original: Call, receiver: unknown, args: unknown[], patch: Call) => unknown;

/** Function of the same name, length and kind; errors that it throws have no frames of ours. */
export function imitation(original: Call, body: Body): Call {
  const run = (receiver: unknown, args: unknown[]): unknown => {
    try {
      return body(original, receiver, args, patch);
    } catch (error) {
      throw cleaned(error, patch);
    }
  };
  const patch: Call = hasOwn(original, 'prototype')
    ? function (this: unknown, ...args: unknown[]): unknown {
        return run(this, args);
      }
    : {
        method(this: unknown, ...args: unknown[]): unknown {
          return run(this, args);
        },
      }.method;
  return withNameOf(original, patch);
}

/** With the name and length of another function. */
export function withNameOf(original: Call, patch: Call): Call {
  for (const key of ['name', 'length'] as const)
    defineProperty(patch, key, getOwnPropertyDescriptor(original, key)!);
  return patch;
}

/** Replaces a method where there is one, and where that can be done. */
export function replace(owner: object, key: string, body: Body): void {
  const found = getOwnPropertyDescriptor(owner, key);
  if (typeof found?.value !== 'function') return;
  defineProperty(owner, key, { ...found, value: imitation(found.value as Call, body) });
}
