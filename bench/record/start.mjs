// How long a worker takes to start, ms, again and again. usage: node start.mjs <workers>
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) {
  const times = [];
  for (let i = 0; i < Number(process.argv[2]); i++) {
    const from = performance.now();
    const worker = new Worker(new URL(import.meta.url));
    await new Promise((resolve) => worker.once('exit', resolve));
    times.push(performance.now() - from);
  }
  console.log(JSON.stringify(times));
}
