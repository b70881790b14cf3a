/** A recording on a real runtime: what is analyzed is the recorded message, whatever its values are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../src/model/documents/report.ts';
import { readRecording } from '../../src/record/files/recording-files.ts';
import { realCli } from '../support/real-cli.ts';

const file = fileURLToPath(new URL('../../fixtures/recordings/photos.cprof', import.meta.url));

test('each site is classified as a value of the recorded size', async () => {
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
    const { typicalBytes } = messages.find(({ send }) => send?.total === traffic?.send?.total)!;
    if (typicalBytes == null || traffic?.transfer.listed) continue;
    const { copied } = run.bytes!;
    const differingBytes = Math.abs(copied - typicalBytes);
    assert.ok(differingBytes < typicalBytes / 50, `${id}: ${copied} bytes beside ${typicalBytes}`);
  }
});
