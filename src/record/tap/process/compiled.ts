/**
 * The recorder of Node as V8 has compiled it, for the workers that a thread starts. A worker that answers once takes 18 ms
 * more than without the recorder if it compiles the text and each function, 10 if it gets them.
 */
import { Script } from 'node:vm';
import { orElse } from '../../../model/or-else.ts';
import * as kept from '../realm/intrinsics.ts';

/** The recorder as a thread has loaded it. */
export interface Loaded {
  /** Of the script. */
  text: string;
  script: Script;
}

/**
 * The text of the script, and the code of its functions that have run. In memory that threads share, never in a file:
 * of the code V8 checks no more than the head.
 */
export interface Compiled {
  text: string;
  cache: Uint8Array;
}

const Bytes = Uint8Array;
const Shared = SharedArrayBuffer;
const fill = kept.unbound(Bytes.prototype.set) as (to: Uint8Array, from: Uint8Array) => void;
const cacheOf = kept.unbound(Script.prototype.createCachedData) as (script: Script) => Uint8Array;

function compiledBy({ text, script }: Loaded): Compiled {
  const made = cacheOf(script);
  const cache = new Bytes(new Shared(made.byteLength));
  fill(cache, made);
  return { text, cache };
}

/** Making it takes milliseconds: a thread with one worker does not. With the later one, the functions that post have run. */
const SECOND = 2;
const LATER = 9;

/** Returns a function that is called for each worker. @param given what this thread was compiled from, if it was */
export function compilingFor(loaded: Loaded, given: Compiled | undefined): () => Compiled | undefined {
  let compiled = given;
  let workers = 0;
  return () => {
    workers++;
    if (workers === SECOND || workers === LATER) compiled = orElse(() => compiledBy(loaded), compiled);
    return compiled;
  };
}
