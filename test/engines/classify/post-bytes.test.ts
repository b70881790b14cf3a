/** What becomes of the bytes on each path: counted by the engine where it was asked, else estimated. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postBytes } from '../../../src/engines/classify/post-bytes.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { PostBytes } from '../../../src/model/documents/classification.ts';
import type { Channel, PathName } from '../../../src/model/names.ts';
import type { PathBytes } from '../../../src/model/wire/wire.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { probeFor } from '../../support/probe.ts';

const NODE = { name: 'node', version: '24.21.0', engine: 'v8' } as const;
const BUN = { name: 'bun', version: '1.4.5', engine: 'jsc' } as const;
const probe = await probeFor({ assume: 'jsc' });
const TEXT = { s: `${'x'.repeat(500)}${process.pid}`.slice(0, 500) };
const SHARED = { memory: new SharedArrayBuffer(1000) };

type Told = [copied: number, moved: number, shared: number, by: PostBytes['by']];
const ROWS: [
  name: string,
  value: unknown,
  where: { runtime: typeof NODE | typeof BUN; channel: Channel },
  path: PathName,
  message: PathBytes[],
  moved: number,
  told: Told,
][] = [
  [
    'the serializer',
    TEXT,
    { runtime: NODE, channel: 'worker' },
    'fast-object',
    [{ path: 'serializer', bytes: 510 }],
    0,
    [510, 0, 0, 'serializer'],
  ],
  [
    'JSON text is counted once',
    TEXT,
    { runtime: NODE, channel: 'ipc-json' },
    'json',
    [{ path: 'json', bytes: 509 }],
    0,
    [509, 0, 0, 'serializer'],
  ],
  [
    'JSON text that was not asked for',
    TEXT,
    { runtime: NODE, channel: 'ipc-json' },
    'json',
    [],
    0,
    [508, 0, 0, 'shape'],
  ],
  [
    'handed over, its text shared',
    TEXT,
    { runtime: BUN, channel: 'worker' },
    'simple-object',
    [
      { path: 'serializer', bytes: 520 },
      { path: 'simple-object', bytes: 25 },
    ],
    0,
    [25, 0, 500, 'formula'],
  ],
  [
    'serialized beside a fast path',
    TEXT,
    { runtime: BUN, channel: 'ipc-advanced' },
    'serializer',
    [{ path: 'serializer', bytes: 520 }],
    0,
    [520, 0, 0, 'serializer'],
  ],
  [
    'shared memory',
    SHARED,
    { runtime: NODE, channel: 'worker' },
    'fast-object',
    [{ path: 'serializer', bytes: 20 }],
    0,
    [20, 0, 1000, 'serializer'],
  ],
  [
    'moved memory',
    TEXT,
    { runtime: NODE, channel: 'worker' },
    'fast-object',
    [{ path: 'serializer', bytes: 30 }],
    480,
    [30, 480, 0, 'serializer'],
  ],
];

for (const [name, value, where, path, message, moved, [copied, ...rest]] of ROWS)
  test(name, () => {
    const shape = describe(value, probe, { jsonBytes: true });
    const told = postBytes(shape, path, ENGINES[where.runtime.engine], where, message, moved)!;
    assert.deepEqual([told.copied, told.moved, told.shared, told.by], [copied, ...rest]);
  });

test('the bytes of a rejected post are null', () => {
  const where = { runtime: NODE, channel: 'worker' } as const;
  assert.equal(postBytes(describe(TEXT, probe), 'rejected', ENGINES.v8, where, []), null);
});
