/** A recording on a real runtime: what is analyzed has the recorded shape, whatever was synthesised. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { shapeBelow } from '../../src/core/recording/envelopes/envelopes.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import { payloadShape } from '../../src/model/report/runs.ts';
import { readRecording } from '../../src/store/recording-file.ts';
import { realCli } from '../support/real-cli.ts';

const file = fileURLToPath(new URL('../../fixtures/recordings/photos.cprof', import.meta.url));

/** Kinds and counts by pattern. Storage is that of the runtime that describes. */
const countsOf = ({ patterns }: Shape) => {
  const counts = new Map<string, number>();
  for (const { pattern, kind, count } of patterns) {
    const key = `${pattern} ${kind}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return [...counts].sort();
};

test('each site is classified as a value of the recorded shape', async () => {
  const { code, stdout, stderr } = await realCli([
    ...['analyze', file, '--site', 'js:', '--top', '7', '--no-measure', '-r', 'node', '-f', 'json'],
  ]);
  assert.equal(code, 0, stderr);
  const { payloads } = JSON.parse(stdout) as Report;
  const { messages } = await readRecording(file, file, {});
  assert.equal(payloads.length, 7);
  for (const { id, traffic, runs } of payloads) {
    const [run] = runs;
    assert.ok(run?.status === 'classified' && run.verdict, `${id}: ${run?.error?.message}`);
    const { shape } = messages.find(({ send }) => send?.total === traffic?.send?.total)!;
    const recorded = run.via ? shapeBelow(shape!, run.via.path) : shape;
    assert.deepEqual(countsOf(payloadShape(run)!), countsOf(recorded!), id);
  }
});
