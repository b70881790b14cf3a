import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Report } from '../../src/model/documents/report.ts';
import { recordingNodes } from '../../src/report/print/recording.ts';
import { allNodes, chartsIn } from './node-texts.ts';
import { frozen } from './render.ts';

const chartsOf = (report: Report) => chartsIn(recordingNodes(report));

const recording = frozen('recording');

test('times and bytes of a recording are charts', () => {
  const [times, bytes, ...others] = chartsOf(frozen('recording'));
  assert.deepEqual(others, []);
  assert.ok(times?.kind === 'timeline' && bytes?.kind === 'icicle');
  assert.deepEqual(
    times.rows.map(({ name }) => name),
    ['all sites', 'pool.js:41', 'tiles.js:30', 'process.send'],
  );
  assert.deepEqual(times.rows[0]?.times, recording.recordings?.[0]?.times);
  assert.equal(times.lengthMs, recording.recordings?.[0]?.elapsedMs);
  assert.deepEqual(
    bytes.root.children.map(({ name, bytes: size }) => [name, size]),
    [
      ['pool.js:41', 1_200_000],
      ['tiles.js:30', 24_000_000],
    ],
  );
});

test('costs, what the advice saves of them, and queues are columns of the table of sites', () => {
  const tables = allNodes(recordingNodes(recording)).filter((node) => node.type === 'table');
  const cellsOf = (head: string) => tables[0]?.columns.find((column) => column.head === head)?.cells;
  // The time of calls of the other site is no measured cost.
  assert.deepEqual(cellsOf('cost'), ['371 ms', { text: 'unmeasured', tone: 'muted' }, '']);
  assert.deepEqual(cellsOf('saves about'), ['222 ms', '22.8 ms', '']);
  assert.deepEqual(cellsOf('waiting'), ['900', '', '4']);
  assert.deepEqual(cellsOf('at the end'), ['870', '', '0']);
});

test('the parts of a site do not have more bytes than its messages', () => {
  const [chart] = chartsOf(frozen('recording')).slice(1);
  assert.ok(chart?.kind === 'icicle');
  for (const site of chart.root.children) {
    const parts = site.children.reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(parts <= site.bytes * 1.001, `${site.name}: ${parts} of ${site.bytes}`);
  }
  const paths = chart.columns[0]?.cells.map((cell) =>
    typeof cell === 'object' && 'text' in cell ? cell.text : cell,
  );
  assert.ok(
    paths?.some((path) => String(path).startsWith('pool.js:41 $')),
    String(paths),
  );
});

test('the row for all sites is left out if there is one site, or if the times of the recording are missing', () => {
  const [{ times: _, ...header }] = recording.recordings as [NonNullable<Report['recordings']>[number]];
  const older = { ...recording, recordings: [header] };
  const single = { ...recording, payloads: recording.payloads.slice(0, 1) };
  for (const report of [older, single]) {
    const chart = chartsOf(report).find(({ kind }) => kind === 'timeline');
    assert.ok(chart?.kind === 'timeline');
    assert.equal(chart.rows[0]?.name, 'pool.js:41');
  }
});
