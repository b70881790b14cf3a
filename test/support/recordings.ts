/** Hand-written recordings for table tests. */
import { RECORDING_SCHEMA } from '../../src/model/document-ids.ts';
import type {
  RecordedMessages,
  Recording,
  RecordingHeader,
} from '../../src/model/documents/recorded/recording.ts';
import { row, shapeOf } from './shapes.ts';

export const header = (more: Partial<RecordingHeader> = {}): RecordingHeader => ({
  schema: RECORDING_SCHEMA,
  tool: { version: '0.1.0' },
  runtime: { name: 'node', version: '20.20.2', engine: 'v8' },
  command: ['node', 'app.js'],
  processes: 1,
  threads: 3,
  elapsedMs: 1234,
  overheadMs: 12,
  exit: { code: 0, signal: null },
  values: 'none',
  gaps: [],
  ...more,
});

export const messages = (more: Partial<RecordedMessages> = {}): RecordedMessages => ({
  site: { user: { file: 'src/pool.js', line: 41, column: 10, name: 'run' }, library: null },
  api: 'Worker.postMessage',
  from: 'main',
  to: 'worker src/resize.js',
  threads: 1,
  count: 1200,
  received: 1200,
  estimated: false,
  bytes: { total: 1_200_000, ci: [1_190_000, 1_210_000], max: 1000 },
  send: { timed: 100, median: 5000, max: 90_000, total: 6_000_000, long: 0 },
  queue: { max: 4, last: 0 },
  shape: shapeOf('v8', row('$', 'object', [], { size: { min: 1, max: 1, total: 1 } })),
  looked: 100,
  envelope: null,
  transfer: { listed: 0, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
  repeats: { sameObject: 0, sameContent: 0 },
  times: { stepMs: 100, counts: [600, 600] },
  sample: null,
  ...more,
});

export const recording = (
  more: Partial<RecordingHeader> = {},
  groups: readonly Partial<RecordedMessages>[] = [{}],
): Recording => ({ header: header(more), messages: groups.map(messages) });
