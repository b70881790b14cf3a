/** The original and rewrites of a payload as round trips of a worker: converted, posted, restored, both ways. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import type { Plan } from '../../src/model/documents/trial.ts';
import type { Remedy } from '../../src/model/rules/remedy.ts';

/** Null: the original. */
export type Rewrite = { remedy: string; plan: Plan } | null;

/** What `rewrites-echo.ts` gets; `current` holds the index of the rewrite to use next. */
export interface EchoData {
  file: string;
  rewrites: Rewrite[];
  current: Int32Array;
}

/** Both directions of one rewrite. */
export interface Conversion {
  message(): [message: unknown, transfer: ArrayBuffer[]];
  restore(message: unknown): unknown;
}

export function conversions(file: string, rewrites: readonly Rewrite[]): Conversion[] {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return rewrites.map((rewrite): Conversion => {
    if (rewrite === null) return { message: () => [value, []], restore: (message) => message };
    const { remedy: name, plan } = rewrite;
    const remedy = (REMEDIES as Record<string, Remedy>)[name];
    if (remedy === undefined) throw new Error(`unknown remedy: ${name}`);
    return {
      message() {
        const message = remedy.apply(value, plan);
        return [message, (remedy.transfer?.(message, plan) ?? []) as ArrayBuffer[]];
      },
      restore: (message) => remedy.restore(message, plan),
    };
  });
}

/** One round trip of each rewrite as a function, and the worker to end. */
export async function openRewrites(file: string, rewrites: Rewrite[]) {
  const current = new Int32Array(new SharedArrayBuffer(4));
  const workerData: EchoData = { file, rewrites, current };
  const worker = new Worker(new URL('./rewrites-echo.mjs', import.meta.url), { workerData });
  await new Promise((ready, fail) => {
    worker.once('message', ready);
    worker.once('error', fail);
  });
  // Nobody would answer: the process ends.
  worker.on('error', (error) => {
    throw error;
  });
  let arrived: (message: unknown) => void = () => undefined;
  worker.on('message', (message) => arrived(message));
  // Declared async: tinybench calls any other function once more, without waiting, to see whether it returns a promise.
  const tripOf =
    ({ message, restore }: Conversion, index: number) =>
    async () => {
      const answer = new Promise((resolve) => {
        arrived = resolve;
      });
      Atomics.store(current, 0, index);
      worker.postMessage(...message());
      restore(await answer);
    };
  const trips = conversions(file, rewrites).map(tripOf);
  return { trips, worker };
}
