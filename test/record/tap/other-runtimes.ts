/** The same tests on Bun and on Deno. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import { missing, type RuntimeSpec, runtime } from '../../support/runtimes.ts';
import { bare, lines, type Program, recorded, totalOf, withoutFrames } from './recorded.ts';
import { ALL_APIS, KILLED, REACH, REACH_PRINTS, REACHED, STEALTH } from './web-programs.ts';

const DENO_FLAGS = ['run', '-A', '--quiet', '--no-config'];

const programOn = (spec: RuntimeSpec, files: Program['files']): Program => ({
  files,
  binary: runtime(spec).binary,
  flags: spec.startsWith('deno') ? DENO_FLAGS : [],
});

export function testAllApis(spec: RuntimeSpec): void {
  /** In both directions, even for a terminated worker. */
  test(`${spec}: messages of all apis are counted once`, { skip: missing(spec) }, async () => {
    const result = await recorded(programOn(spec, ALL_APIS));
    assert.equal(result.stdout, 'done\n', result.stderr);
    const counted = lines(result).map((line) => line.replace(/, at .*/, ''));
    const toClosedPort = counted.find((line) => line.startsWith('1 MessagePort.postMessage'));
    assert.deepEqual(
      counted.filter((line) => line !== toClosedPort),
      [
        '1 BroadcastChannel.postMessage main -> null',
        '1 workerData main -> worker worker.mjs, received 1',
        ...counted.filter((line) => line.startsWith('3 MessagePort.postMessage main -> null')),
        '40 Worker.postMessage main -> worker worker.mjs, received 40',
        '40 parentPort.postMessage worker worker.mjs -> main, received 40',
        '5 structuredClone main -> null',
        '500 parentPort.postMessage worker burst.mjs -> main, received 500',
      ],
    );
    const isReply = ({ api }: { api: string }) => api === 'parentPort.postMessage';
    assert.ok(result.messages.filter(isReply).every(({ estimated }) => !estimated));
    const isList = ({ sample }: RecordedMessages) => typeof sample === 'object' && sample?.is === 'array';
    assert.equal(totalOf(result.messages.filter(isList)), 3);
    for (const { api, sample, bytes, site } of result.messages) {
      assert.notEqual(sample, null, api);
      if (api !== 'MessagePort.postMessage') assert.ok((bytes?.total ?? 0) > 0, api);
      assert.match(site.user?.file ?? '', /^(main|worker|burst)\.mjs$/, api);
    }
    assert.deepEqual(result.header.gaps, []);
  });
}

export function testReach(spec: RuntimeSpec): void {
  test(`${spec}: each kind of worker and child is recorded`, { skip: missing(spec) }, async () => {
    const result = await recorded(programOn(spec, REACH));
    assert.equal(result.stdout, REACH_PRINTS, result.stderr);
    const sums = new Map<string, number>();
    for (const { api, from, count } of result.messages) {
      const sender =
        /outer/.test(from) && api === 'Worker.postMessage' ? from : from.replace(/^worker .*/, 'worker');
      sums.set(`${api} ${sender}`, (sums.get(`${api} ${sender}`) ?? 0) + count);
    }
    assert.deepEqual([...sums].map(([what, count]) => `${count} ${what}`).sort(), [...REACHED].sort());
    assert.deepEqual(result.header.gaps, []);
  });
}

export function testStealth(spec: RuntimeSpec): void {
  for (const [name, files] of Object.entries(STEALTH)) {
    test(`${spec}: a recorded program prints the same: ${name}`, { skip: missing(spec) }, async () => {
      const program = programOn(spec, files);
      const [without, result] = await Promise.all([bare(program), recorded(program)]);
      assert.equal(withoutFrames(result.stdout), without.stdout);
      assert.equal(result.code, without.code);
      assert.notEqual(without.stdout, '', without.stderr);
      assert.ok(result.threads.length > 0, 'it was not recorded');
    });
  }
}

/** @param exact the counters are written by the system after the process was killed */
export function testKilled(spec: RuntimeSpec, exact: boolean): void {
  test(`${spec}: a process that is killed leaves what it has counted`, { skip: missing(spec) }, async () => {
    const result = await recorded({
      ...programOn(spec, KILLED),
      onOutput: { text: '2300', run: (pid) => process.kill(pid, 'SIGKILL') },
    });
    assert.equal(result.signal, 'SIGKILL');
    const count = totalOf(result.messages, 'structuredClone');
    if (exact) assert.equal(count, 2300);
    assert.ok(count >= 300 && count <= 2300, `${count}`);
    assert.deepEqual(new Set(result.messages.map(({ estimated }) => estimated)), new Set([!exact]));
  });
}
