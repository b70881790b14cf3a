import { readFileSync } from 'node:fs';
import { runCli } from './test/support/run-cli.ts';
const files = { 'photos.cprof': readFileSync('fixtures/recordings/photos.cprof', 'utf8') };
const job = { id: 17, sizes: [{ width: 16, height: 9 }, { width: 32, height: 18 }] };
const values = { 'pool.js:41': job, 'worker.js:141': { taskId: 1, result: job }, 'state.js:88': { a: { b: 1 } }, 'ticks.js:7': { t: 1 }, 'tiles.js:30': { a: [1] }, 'log.js:3': { level: 'info' }, 'pool.js:41#2': {}, 'process.send': 1 };
const run = await runCli(process.argv.slice(3), { files, columns: Number(process.argv[2]), runtimes: ['node@20.20.2', 'bun@1.4.5'], script: { values, times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } } });
console.log(run.stdout); console.log('STDERR', run.stderr, run.code);
