/**
 * `node:worker_threads`, loaded here for the first time. Up to Bun 1.3 a worker's parentPort has a postMessage that cannot be
 * replaced. It is defined while the module is loaded, so what is defined then leads to the recorder. No other file of Bun's tap
 * imports the module.
 */

import type { Call } from '../messages/recorder.ts';
import { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf } from '../realm/intrinsics.ts';

const messagePort = MessagePort.prototype;
const define = Object.defineProperty;
let recorded: ((original: Call) => Call) | null = null;
let post: Call | null = null;

/** Calls of a parentPort.postMessage that cannot be replaced go to what `record` makes of it. */
export function recordParentPort(record: (original: Call) => Call): void {
  recorded = record;
}

function leadingHere(found: PropertyDescriptor): PropertyDescriptor {
  const original = found.value as Call;
  const { postMessage } = {
    postMessage(this: unknown, ...args: unknown[]): unknown {
      post ??= recorded === null ? original : recorded(original);
      return apply(post, this, args);
    },
  };
  defineProperty(postMessage, 'length', getOwnPropertyDescriptor(original, 'length')!);
  return { ...found, value: postMessage };
}

function load(): typeof import('node:worker_threads') {
  const watching = (owner: object, key: PropertyKey, found: PropertyDescriptor): object => {
    const isPost = key === 'postMessage' && getPrototypeOf(owner) === messagePort;
    return apply(define as Call, Object, [owner, key, isPost ? leadingHere(found) : found]) as object;
  };
  Object.defineProperty = watching as typeof define;
  try {
    return require('node:worker_threads') as typeof import('node:worker_threads');
  } finally {
    Object.defineProperty = define;
  }
}

export const workerThreads = load();
