// In one process: describe and classify against structuredClone of the same payload, interleaved.
import { readFileSync } from 'node:fs';
import { classify } from '../../src/engines/classify/classify.ts';
import { ENGINES } from '../../src/engines/index.ts';
import { describe } from '../../src/value/describe/describe.ts';
import { probeFor } from '../../test/support/probe.ts';

const { file, turns } = JSON.parse(process.argv[2] ?? '{}') as { file: string; turns: number };
const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
const probe = await probeFor({ fromJson: true });
const where = {
  runtime: { name: 'node', version: process.versions.node, engine: 'v8' },
  channel: 'worker',
} as const;

const timed = (work: () => unknown): number => {
  const began = performance.now();
  work();
  return performance.now() - began;
};

const cloning: number[] = [];
const describing: number[] = [];
for (let turn = 0; turn < turns; turn++) {
  cloning.push(timed(() => structuredClone(value)));
  describing.push(
    timed(() => classify(describe(value, probe, { fromJson: true, jsonBytes: true }), ENGINES.v8, where)),
  );
}
process.stdout.write(JSON.stringify({ cloning, describing }));
