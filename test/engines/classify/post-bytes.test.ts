/** What becomes of the bytes on each path: counted by the engine where it was asked, else estimated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postBytes } from '../../../src/engines/classify/post-bytes.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { PostBytes } from '../../../src/model/documents/classification.ts';
import type { PathName } from '../../../src/model/names.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';
import { contextOf } from './classified.ts';

const probe = await probeFor({ assume: 'jsc' });
const TEXT = { s: `${'x'.repeat(500)}${process.pid}`.slice(0, 500) };
const SHARED = { memory: new SharedArrayBuffer(1000) };
const NODE = 'node@24.21.0';
const BUN = 'bun@1.4.5';

type Counted = Partial<Record<PathName, number>>;
type Told = [copied: number, moved: number, shared: number, by: PostBytes['by']];
const ROWS: [name: string, value: unknown, where: string, path: PathName, message: Counted, told: Told][] = [
  ['the serializer', TEXT, NODE, 'fast-object', { serializer: 510 }, [510, 0, 0, 'serializer']],
  ['JSON text is counted once', TEXT, `${NODE} ipc-json`, 'json', { json: 509 }, [509, 0, 0, 'serializer']],
  ['JSON text that was not asked for', TEXT, `${NODE} ipc-json`, 'json', {}, [508, 0, 0, 'shape']],
  [
    'handed over, its text shared',
    ...([TEXT, BUN, 'simple-object', { serializer: 520, 'simple-object': 25 }] as const),
    [25, 0, 500, 'formula'],
  ],
  [
    'serialized beside a fast path',
    ...([TEXT, `${BUN} ipc-advanced`, 'serializer', { serializer: 520 }] as const),
    [520, 0, 0, 'serializer'],
  ],
  ['shared memory', SHARED, NODE, 'fast-object', { serializer: 20 }, [20, 0, 1000, 'serializer']],
  ['moved memory', TEXT, NODE, 'fast-object', { serializer: 30 }, [30, 480, 0, 'serializer']],
];

for (const [name, value, where, path, message, told] of ROWS)
  test(name, () => {
    const shape = describe(value, probe, { jsonBytes: true });
    const counted = Object.entries(message).map(([on, bytes]) => ({ path: on as PathName, bytes }));
    const context = contextOf(where);
    const one = postBytes(shape, path, ENGINES[context.runtime.engine], context, counted, told[1])!;
    assert.deepEqual([one.copied, one.moved, one.shared, one.by], told);
  });

test('the bytes of a rejected post are null', () => {
  assert.equal(postBytes(describe(TEXT, probe), 'rejected', ENGINES.v8, contextOf(NODE), []), null);
});
