import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CpuProfile,
  type FunctionTime,
  functionTimes,
  summaryOf,
} from '../../../src/stats/profile/summary.ts';

const TOOL = 'file:///tool/dist/guest/';

const node = (id: number, functionName: string, url = '', children: number[] = []) => ({
  id,
  callFrame: { functionName, url, lineNumber: 3, columnNumber: 4 },
  children,
});

/** Each node has a sample, unless it is said otherwise. */
const profile = (nodes: CpuProfile['nodes'], more: Partial<CpuProfile> = {}): CpuProfile => ({
  nodes,
  ...{ startTime: 1000, endTime: 1100 },
  ...{ samples: nodes.map(({ id }) => id), timeDeltas: nodes.map(() => 10) },
  ...more,
});
const timesOf = (nodes: CpuProfile['nodes'], more?: Partial<CpuProfile>) =>
  functionTimes(profile(nodes, more), { tool: TOOL, by: 'inspector' });

const TIMES: { what: string; given: Partial<CpuProfile>; self: Record<string, number> }[] = [
  {
    what: 'a sample counts until the next one, the last until the end',
    given: { samples: [1, 2, 1], timeDeltas: [10, 20, 30] },
    self: { a: 20 + 40, b: 30 },
  },
  {
    what: 'a clock that goes back subtracts nothing',
    given: { samples: [1, 2, 1], timeDeltas: [10, -5, 30] },
    self: { a: 0 + 65, b: 30 },
  },
  { what: 'no samples at all', given: { samples: [], timeDeltas: [] }, self: {} },
];

for (const { what, given, self } of TIMES) {
  test(`self times: ${what}`, () => {
    const times = timesOf([node(1, 'a'), node(2, 'b')], given);
    assert.deepEqual(Object.fromEntries(times.map(({ name, us }) => [name, us])), self);
  });
}

/** Frames seen on Node 20 to 26, Bun 1.4 and Deno 2.9. */
const WORKS: [what: string, nodes: CpuProfile['nodes'], work: string | undefined, name?: string][] = [
  ['waiting', [node(1, '(idle)')], undefined],
  ['the collector', [node(1, '(garbage collector)')], 'gc'],
  ['deserializing on Node', [node(1, '(program)'), node(2, '(idle)')], 'clone'],
  ["waiting of Deno's worker", [node(1, '(program)')], undefined],
  ['the native postMessage', [node(1, 'postMessage')], 'clone'],
  ["Deno's wrapper", [node(1, 'serialize', 'ext:core/01_core.js')], 'clone'],
  ["Deno's op", [node(1, 'op_worker_post_message_raw')], 'clone'],
  ["Deno's op of another kind", [node(1, 'op_timer_handle')], 'other'],
  [
    "the tool's function that calls postMessage",
    [node(1, 'post', `${TOOL}peer.mjs`, [2]), node(2, 'postMessage')],
    'clone',
    'postMessage',
  ],
  ["the tool's own loop", [node(1, 'advance', `${TOOL}main.mjs`)], 'other'],
  ['a getter of the user', [node(1, 'get total', 'file:///app/cart.mjs')], 'user'],
  ["a user's function of a telling name", [node(1, 'serialize', 'file:///app/a.mjs')], 'user'],
  ['a CommonJS module by its path', [node(1, 'make', '/app/cart.cjs')], 'user'],
  ['a module on Windows', [node(1, 'make', 'C:\\app\\cart.cjs')], 'user'],
  ['a nameless one', [node(1, '', 'node:events')], 'other', '(anonymous)'],
];

test('(program) of the addon is not cloning, and its own functions are not work', () => {
  const frames = [
    node(1, '(program)'),
    node(2, '(idle)'),
    node(3, 'setProfilesCleanupLimit'),
    node(4, 'stopProfiling', 'file:///app/a.mjs'),
    node(5, 'postMessage'),
  ];
  const times = functionTimes(profile(frames), { tool: TOOL, by: 'v8-profiler-next' });
  const works = times.map(({ name, work }) => `${name} ${work}`).sort();
  assert.deepEqual(works, ['(program) other', 'postMessage clone', 'stopProfiling user']);
});

for (const [what, nodes, work, name] of WORKS) {
  test(`${what} is ${work ?? 'no work'}`, () => {
    const [worked] = timesOf(nodes, { samples: [1], timeDeltas: [10] });
    assert.equal(worked?.work, work);
    if (name !== undefined) assert.equal(worked?.name, name);
  });
}

test('nodes of one function are summed up; lines and columns count from 1', () => {
  const nodes = [node(1, 'get', 'file:///a.mjs'), node(2, 'get', 'file:///a.mjs'), node(3, '(idle)')];
  const seen = timesOf(nodes, { samples: [1, 2, 3], timeDeltas: [0, 10, 20] });
  assert.deepEqual(seen, [{ name: 'get', where: 'file:///a.mjs:4:5', work: 'user', us: 30 }]);
});

const spent = (name: string, work: FunctionTime['work'], us: number): FunctionTime => ({
  ...{ name, where: null, work, us },
});

test('shares add up to 1 over both threads, most time first, per message', () => {
  const summary = summaryOf(
    {
      sender: [spent('postMessage', 'clone', 600), spent('(garbage collector)', 'gc', 100)],
      receiver: [spent('get', 'user', 250), spent('emit', 'other', 50)],
    },
    10,
  );
  assert.deepEqual(summary?.shares, { clone: 0.6, gc: 0.1, user: 0.25, other: 0.05 });
  assert.deepEqual(
    summary?.top.map(({ side, name, ns }) => [side, name, ns]),
    [
      ['sender', 'postMessage', 60_000],
      ['receiver', 'get', 25_000],
      ['sender', '(garbage collector)', 10_000],
      ['receiver', 'emit', 5_000],
    ],
  );
});

test('a profile without samples gives null', () => {
  assert.equal(summaryOf({ sender: [], receiver: [] }, 10), null);
});
