import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { openCoreClock, ownThread } from '../../../src/guest/platform/process/platforms.ts';

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
    const began = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { ranNs: slept } = clock.read();
    const { user, system } = process.cpuUsage(began);
    clock.close();
    assert.ok(worked - before > 10 * MS && worked - before < 31 * MS, `${worked - before} ns of 30 ms`);
    assert.ok(slept - worked <= (user + system) * 1000 + MS, 'what the whole process had, at most');
  });

  it('adds up another thread, and what both waited; after its end too', async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.postMessage(require('node:fs').readlinkSync('/proc/thread-self'));
       parentPort.on('message', () => { const end = Date.now() + 50; while (Date.now() < end); parentPort.postMessage(''); });`,
      { eval: true },
    );
    const [thread] = (await once(worker, 'message')) as [string];
    const clock = openCoreClock([ownThread()!, thread])!;
    const { ranNs, waitedNs } = clock.read();
    worker.postMessage('');
    await once(worker, 'message');
    const after = { ...clock.read() };
    assert.ok(after.ranNs > ranNs && after.waitedNs >= waitedNs);
    const own = readFileSync(`/proc/${ownThread()}/schedstat`, 'latin1').split(' ').map(Number);
    assert.ok(after.ranNs > own[0]! - 5 * MS, 'it has more than the time of this thread');
    await worker.terminate();
    assert.ok(clock.read().ranNs > 0);
    clock.close();
  });

  it('is null for a name that is not a thread', () => {
    for (const name of ['1', '1/task/../../self/task/1', '..', '4194304/task/4194304', `${ownThread()}\n`])
      assert.equal(openCoreClock([ownThread()!, name]), null, name);
  });
});
