import { parentPort, workerData } from 'node:worker_threads';
import { conversions, type EchoData } from './rewrites.ts';

// Restores what it got and answers with an equal value of its own, by the same way.
const { file, rewrites, current } = workerData as EchoData;
const ways = conversions(file, rewrites);
parentPort?.on('message', (received) => {
  const { restore, message } = ways[Atomics.load(current, 0)]!;
  restore(received);
  parentPort?.postMessage(...message());
});
parentPort?.postMessage('ready');
