/** What `record` takes for its options, names its file after, and writes of the values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Site } from '../../src/model/documents/recorded/call-site.ts';
import { parseRecording } from '../../src/store/recording-file.ts';
import { row, shapeOf } from '../make.ts';
import { runCli } from '../support/run-cli.ts';
import { threadFiles } from '../support/thread-files.ts';

const frame = (file: string, line: number) => ({ file, line, column: 3, name: 'run' });
const own = (line: number): Site => ({ user: frame('src/pool.js', line), library: null });
const REPLY = shapeOf(
  'v8',
  row('$', 'object', [], { size: { min: 4, max: 4, total: 4 } }),
  ...['taskId', 'result', 'error', 'time'].map((key) => row(`$.${key}`, 'number', ['int32'])),
);

test('options after the first word of the command are its own', async () => {
  const { code, files } = await runCli(
    ['record', 'node', 'x.js', '-o', 'y', '-v', '--help', '--', '--values'],
    {
      shows: ['x.cprof'],
    },
  );
  assert.equal(code, 0);
  const { header } = parseRecording(files['x.cprof'] ?? '', 'x.cprof');
  assert.deepEqual(header.command, ['node', 'x.js', '-o', 'y', '-v', '--help', '--', '--values']);
  assert.equal(header.values, 'none');
});

test('values are written when they are asked for only, for the user alone', async () => {
  const threads = threadFiles({
    ...{ pid: 1, thread: 0, file: 'a.js' },
    posted: [{ api: 'structuredClone', site: own(1), count: 2, bytes: 9, sendNs: 300, shape: REPLY }],
  });
  const [name] = Object.keys(threads);
  const written = String(threads[name!]).replace(
    '"hint":100',
    '"hint":100,"value":{"object":[["a","secret"]]}',
  );
  const scenario = { program: { threads: { ...threads, [name!]: written } }, shows: ['a.cprof'] };
  const without = await runCli(['record', 'node', 'a.js'], scenario);
  assert.doesNotMatch(without.files['a.cprof'] ?? 'secret', /secret/);
  const kept = await runCli(['record', '--values', 'node', 'a.js'], scenario);
  const [message] = parseRecording(kept.files['a.cprof'] ?? '', 'a.cprof').messages;
  assert.deepEqual(message?.sample, { object: [['a', 'secret']] });
});
