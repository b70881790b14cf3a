/** A ping-pong written by hand: post, be called with the echo, post again. One worker for one slice. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface Pong {
  worker: Worker;
  value: unknown;
}

/** `echo.mjs` lies beside the bundle that this is part of. */
export async function openPong(file: string): Promise<Pong> {
  const worker = new Worker(new URL('./echo.mjs', import.meta.url), { workerData: file });
  await new Promise((ready, fail) => {
    worker.once('message', ready);
    worker.once('error', fail);
  });
  return { worker, value: JSON.parse(readFileSync(file, 'utf8')) };
}

/** ns of each round trip for `ms`, after a fifth of that as warm-up. */
export function handWritten({ worker, value }: Pong, ms: number): Promise<number[]> {
  return new Promise((resolve) => {
    const samples: number[] = [];
    const opened = performance.now();
    const warm = opened + ms / 5;
    const end = warm + ms;
    let began = 0;
    const onMessage = () => {
      const arrived = performance.now();
      if (began > warm) samples.push((arrived - began) * 1e6);
      if (arrived > end) {
        worker.off('message', onMessage);
        resolve(samples);
        return;
      }
      began = performance.now();
      worker.postMessage(value);
    };
    worker.on('message', onMessage);
    began = performance.now();
    worker.postMessage(value);
  });
}

/** One round trip as a function, for benchmark libraries that call one. */
export function tripOf({ worker, value }: Pong): () => Promise<void> {
  let arrived: () => void = () => undefined;
  worker.on('message', () => arrived());
  return () =>
    new Promise((resolve) => {
      arrived = resolve;
      worker.postMessage(value);
    });
}
