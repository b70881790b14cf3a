import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openCoreClock, ownThread } from '../../../src/guest/platform/process/core-clock.ts';

const MS = 1e6;

/** Until this process has had a core for so long. */
function work(ms: number): void {
  const began = process.cpuUsage();
  const spent = () => Object.values(process.cpuUsage(began)).reduce((sum, micros) => sum + micros, 0) / 1000;
  while (spent() < ms);
}

describe('time that threads have a core', {
  skip: process.platform !== 'linux' && 'only Linux tells it',
}, () => {
  it('has what this thread works, at once, and nothing of its sleep', async () => {
    const clock = openCoreClock([ownThread()!])!;
    const { ranNs: before } = clock.read();
    work(30);
    const { ranNs: worked } = clock.read();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { ranNs: slept } = clock.read();
    clock.close();
    assert.ok(worked - before > 10 * MS && worked - before < 31 * MS, `${worked - before} ns of 30 ms`);
    assert.ok(slept - worked < 20 * MS, `${slept - worked} ns of a sleep of 100 ms`);
  });

  it('adds up another thread of this process, and what both waited', async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self').split('/').at(-1));
       parentPort.once('message', () => { const end = Date.now() + 50; while (Date.now() < end); parentPort.postMessage(''); });`,
      { eval: true },
    );
    const [thread] = (await once(worker, 'message')) as [string];
    const clock = openCoreClock([ownThread()!, thread])!;
    const { ranNs, waitedNs } = clock.read();
    worker.postMessage('');
    await once(worker, 'message');
    const after = clock.read();
    assert.ok(after.ranNs > ranNs && after.waitedNs >= waitedNs);
    const own = readFileSync(`/proc/self/task/${ownThread()}/schedstat`, 'latin1').split(' ').map(Number);
    assert.ok(after.ranNs > own[0]! - 5 * MS, 'it has more than the time of this thread');
    clock.close();
    await worker.terminate();
  });

  it('is none for a thread of another process', () => {
    assert.equal(openCoreClock(['1']), null);
    assert.equal(openCoreClock([ownThread()!, '../1']), null);
  });
});
