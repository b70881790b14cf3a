import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { describeJob } from '../../../src/app/job/describe.ts';
import { GuestSlot } from '../../../src/app/job/guest-slot.ts';
import { Job } from '../../../src/app/job/job.ts';
import type { RuntimeDriver } from '../../../src/model/run/runtime.ts';
import { killAll } from '../../../src/runtimes/process/supervisor.ts';
import { randomBelow, seeded } from '../../../src/stats/intervals/random.ts';
import { MACHINE } from '../../make.ts';
import { PayloadFolder } from '../../support/payload-folder.ts';
import { missing, processDriver, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';

const SEED = 20_261_121;
const EXPORTS = usually([150], [700]).at(-1)!;

const folder = new PayloadFolder();
afterEach(killAll);

/** Arrays of numbers, made in the ways in which programs make them. */
const MADE: readonly ((numbers: string, count: number) => string)[] = [
  (numbers) => `() => [${numbers}]`,
  (numbers) => `[${numbers}]`,
  (numbers) => `[${numbers}].map((x) => x * 2)`,
  (numbers) => `[${numbers}].filter((x) => x > 1)`,
  (numbers) => `() => Object.freeze([${numbers}])`,
  (_, count) => `() => Array.from({ length: ${count} }, (_, i) => i)`,
  (_, count) => `() => { const all = []; for (let i = 0; i < ${count}; i++) all.push(i / 3); return all; }`,
];

function source(): string {
  const random = seeded(SEED);
  const lines: string[] = [];
  for (let i = 0; i < EXPORTS; i++) {
    const count = 1 + randomBelow(200, random);
    const divisor = i % 2 === 0 ? 1 : 8;
    const numbers = Array.from({ length: count }, () => randomBelow(10_000, random) / divisor).join();
    lines.push(`export const a${i} = ${MADE[i % MADE.length]!(numbers, count)};`);
  }
  return lines.join('\n');
}

const MODULE = folder.module('many.mjs', source());

for (const spec of usually(['bun@1.4.5'], ['bun@1.3.14'])) {
  test(`${spec}: ${EXPORTS} exports, one process, no contradiction (seed ${SEED})`, {
    skip: missing(spec),
  }, async () => {
    let starts = 0;
    const driver: RuntimeDriver = {
      start: (here, options) => {
        starts++;
        return processDriver.start(here, options);
      },
    };
    const tools = { driver, machine: MACHINE, emit: () => undefined, now: () => 0 };
    const slot = new GuestSlot(tools, runtime(spec), { timeoutMs: 120_000, cwd: folder.path });
    for (let i = 0; i < EXPORTS; i++) {
      const recipe = { ...MODULE, build: { ...MODULE.build, export: `a${i}` } } as typeof MODULE;
      const job = new Job({ recipe, slot, channel: 'worker', tools, seed: 1 });
      const run = await describeJob(job, { thorough: false });
      assert.equal(run.verdict?.confirmed, true, `a${i}: ${JSON.stringify(run.verdict ?? run.error)}`);
    }
    await slot.close();
    // A contradiction is asked again in a process of its own.
    assert.equal(starts, 1);
  });
}
