/** What `record` takes for its options, names its file after, and writes of the values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Site } from '../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../src/model/documents/recorded/value-tree.ts';
import { parseRecording } from '../../src/record/files/recording-file.ts';
import { runCli } from '../support/run-cli.ts';
import { threadFiles } from '../support/thread-files.ts';

const frame = (file: string, line: number) => ({ file, line, column: 3, name: 'run' });
const own = (line: number): Site => ({ user: frame('src/pool.js', line), library: null });
test('options after the first word of the command are its own', async () => {
  const command = ['node', 'x.js', '-o', 'y', '-v', '--help', '--', '--values'];
  const { code, files } = await runCli(['record', ...command], { shows: ['x.cprof'] });
  assert.equal(code, 0);
  const { header } = parseRecording(files['x.cprof'] ?? '', 'x.cprof');
  assert.deepEqual(header.command, command);
  assert.equal(header.values, 'none');
});

test('recorded messages are written unchanged, and the file says whether their values were kept', async () => {
  const tree: ValueTree = { is: 'object', entries: [['a', 'Ada']] };
  const threads = threadFiles({
    ...{ pid: 1, thread: 0, file: 'a.js' },
    posted: [{ api: 'structuredClone', site: own(1), count: 2, bytes: 9, sendNs: 300, tree }],
  });
  for (const [options, values] of [
    [[], 'none'],
    [['--values'], 'kept'],
    [['--values', '--mask'], 'masked'],
  ] as const) {
    const { files } = await runCli(['record', ...options, 'node', 'a.js'], {
      ...{ program: { threads }, shows: ['a.cprof'] },
    });
    const { header, messages } = parseRecording(files['a.cprof'] ?? '', 'a.cprof');
    assert.deepEqual([header.values, messages[0]?.sample], [values, tree]);
  }
});
