import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

// Answers with an equal value of its own: sending a received value back costs more on V8, whose deserialized arrays are holey.
const value: unknown = JSON.parse(readFileSync(workerData as string, 'utf8'));
parentPort?.on('message', () => parentPort?.postMessage(value));
parentPort?.postMessage('ready');
