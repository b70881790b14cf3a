import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type ClassifyOptions, classify, explain, rules } from '../../../src/index.ts';

function preallocated<T>(length: number, element: (i: number) => T): T[] {
  const made = new Array<T>(length);
  for (let i = 0; i < length; i++) made[i] = element(i);
  return made;
}

function deleted(): object {
  const scarred: { a?: number; b: number } = { a: 1, b: 2 };
  delete scarred.a;
  return scarred;
}

const never = (): never => assert.fail('code of the payload ran');
const getter = () => Object.defineProperty({ a: 1 }, 'b', { get: never, enumerable: true });
const LONG = 'x'.repeat(5000);
const BUN = { runtime: 'bun@1.4' };
const NODE = { runtime: 'node@24' };
const BUN_IPC = { ...BUN, channel: 'ipc-advanced' } as const;
const LISTED = { ...BUN, transferring: true };

const ROWS: [name: string, value: unknown, options: ClassifyOptions, said: string, ...blockers: string[]][] =
  [
    ['long string over ipc', LONG, BUN_IPC, 'serializer serialized', 'jsc/cross-process $'],
    ['with a transfer list', { a: 1 }, LISTED, 'serializer serialized', 'jsc/transfer-list $'],
    [
      'filled new Array(n) below',
      { rows: preallocated(3, () => ({})) },
      NODE,
      'fast-object degraded',
      'v8/holey-array $.rows',
    ],
    ['the same for Bun', preallocated(3, (i) => i), BUN, 'int32-array bulk'],
    ['a class named like that of an event', new (class Event {})(), BUN, 'simple-object in-memory'],
  ];

for (const [name, value, options, said, ...blockers] of ROWS) {
  test(`${name} on ${options.runtime}`, () => {
    const { verdict } = classify(value, options);
    assert.equal(`${verdict.path} ${verdict.class}`, said);
    assert.deepEqual(
      verdict.blockers.map(({ rule, path }) => `${rule} ${path}`),
      blockers,
    );
  });
}

test('nothing of the payload runs', () => {
  const trap = new Proxy({}, { get: never, ownKeys: never, getPrototypeOf: never });
  for (const runtime of ['node', 'bun', 'deno', 'chromium', 'firefox', 'webkit']) {
    classify([getter(), trap], { runtime });
  }
});

const unknowns = (value: unknown, options: ClassifyOptions) =>
  classify(value, options).verdict.unknowns.map(({ what, path }) => `${what} ${path}`);

test('facts that reflection cannot show are listed as unknown', () => {
  assert.deepEqual(unknowns(deleted(), NODE), ['property-storage $']);
  assert.deepEqual(unknowns(deleted(), BUN), ['delete-history $']);
  assert.deepEqual(unknowns(LONG, BUN), ['share-or-copy $']);
  assert.deepEqual(unknowns([1, 2], NODE), []);
  assert.deepEqual(unknowns([1, 2], BUN), ['array-storage $']);
});

test('storage is unknown for an array whose copy would have another storage', () => {
  const foreign: unknown = runInNewContext('[1, 2, 3]');
  assert.deepEqual(unknowns(foreign, NODE), ['elements-kind $']);
});

const library = new URL('../../../dist/index.js', import.meta.url).href;

/** In a process of its own, because it spoils built-ins. */
function runScript(script: string): string {
  const args = ['--input-type=module', '-e', script, library];
  return execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 }).trim();
}

test('once the species of an array is touched, its getter is not run and V8 is not asked any more', () => {
  const script = `
    const { classify } = await import(process.argv[1]);
    const filled = new Array(2); filled[0] = filled[1] = 1;
    const said = (value) => {
      const { path, unknowns } = classify(value, { runtime: 'node@24' }).verdict;
      return path + ' ' + unknowns.map(({ what }) => what);
    };
    const before = said(filled);
    const trap = Object.defineProperty([1], 'constructor', { get() { throw new Error('ran'); } });
    console.log([before, said(trap), said(filled)].join());`;
  assert.equal(runScript(script), 'holey-array ,packed-array elements-kind,packed-array elements-kind');
});

test('the verdict on an array is how V8 serializes it, regardless of how it was made', () => {
  const DENSE = 'A'.charCodeAt(0);
  const recipes: (() => unknown[])[] = [
    () => [],
    () => JSON.parse('[1, 2, 3]') as unknown[],
    () => Array.of(1, 2).concat(new Array(3)),
    () => [1.5, 2],
    () => new Array(5).fill(null),
    () => Array.from({ length: 40 }, (_, i) => ({ i })),
    () => preallocated(40, (i) => [i]).map((x) => x),
    () => [3, 1, 2].sort().concat([4]),
    () => Object.values({ a: 1, b: 2 }),
    () => [[1], [2]].flat(),
    () => 'a,b,c'.split(','),
    () => [...new Set([1, 2])],
    () => Object.freeze([1, 2]) as unknown[],
    () => {
      const shrunk = preallocated(9, (i) => i);
      shrunk.length = 0;
      return shrunk;
    },
    () => {
      const backwards: number[] = [];
      for (let i = 5000; i >= 0; i--) backwards[i] = i;
      return backwards;
    },
  ];
  for (const make of recipes) {
    // The same array: a second split of one text gives an array of another kind.
    const value = make();
    const { path } = classify(value, { runtime: 'node' }).verdict;
    const dense = serialize(value)[2] === DENSE;
    assert.equal(path, dense ? 'packed-array' : 'holey-array', String(make));
  }
});

test('a major or minor version means its newest, a name alone the running version', () => {
  const version = (runtime?: string) => classify(1, { runtime }).runtime.version;
  assert.equal(version('bun@1.4'), '1.4.999');
  assert.equal(version('bun@1'), '1.999.999');
  assert.equal(version('bun@1.4.5'), '1.4.5');
  assert.equal(version('node@v24.1.0'), '24.1.0');
  assert.equal(version('bun@latest'), '999.999.999');
  assert.equal(version('firefox'), '999.999.999');
  assert.equal(version('node'), process.versions.node);
  assert.equal(version(), process.versions.node);
  assert.equal(classify(1).runtime.spec, `node@${process.versions.node}`);
});

const misused: [ClassifyOptions, RegExp][] = [
  [{ runtime: 'nodejs' }, /runtime: 'nodejs' is unknown\. Did you mean node\? Known: node, bun, deno/],
  [{ runtime: 'node@^20' }, /'\^20' is not a version/],
  [{ runtime: 'bun@' }, /'' is not a version/],
  [{ channel: 'pigeon' as never }, /channel: 'pigeon' is unknown. Known: worker/],
];

for (const [options, message] of misused) {
  test(`misused: ${JSON.stringify(options)}`, () => {
    assert.throws(() => classify({}, options), { name: 'ToolError', code: 'usage', message });
  });
}

test('each finding has a title, a reason and whether it blocks', () => {
  const value = [{ geo: { lat: 1 }, at: new Date(0) }];
  const { path, findings } = explain(classify(value, { runtime: 'bun@1.4' }));
  assert.equal(path?.title, 'serializer');
  const nested = findings.find(({ rule }) => rule === 'jsc/element-nested-value');
  assert.equal(nested?.title, 'object inside a row');
  assert.match(nested.why, /flat/);
  assert.match(nested.fix ?? '', /Flatten/);
  assert.equal(nested.blocks, true);
  for (const { title, why, source } of findings) assert.ok(title && why && source);
});

test('a note does not block, and the path of a rejected payload is null', () => {
  const rejected = explain(classify({ run() {}, many: new Map([[1, 2]]) }, { runtime: 'node@24' }));
  assert.equal(rejected.path, null);
  assert.deepEqual(
    rejected.findings.map(({ level, blocks }) => [level, blocks]),
    rejected.findings.map(({ level }) => [level, level === 'rejected']),
  );
  assert.equal(rejected.findings[0]?.title, 'function');
});

test('a rule that this version does not know keeps its id', () => {
  const finding = { rule: 'v8/of-tomorrow', level: 'note', path: '$', count: 1, example: '$' } as const;
  const { findings } = explain({ verdict: null, findings: [finding], runtime: { engine: 'v8' } });
  assert.deepEqual(findings, [
    { ...finding, title: 'v8/of-tomorrow', why: '', fix: null, source: '', blocks: false },
  ]);
});

test('the rule book of a runtime, of a major version, of the running version', () => {
  const all = rules('bun');
  const line = rules('bun@1.4');
  assert.equal(all.version, null);
  assert.equal(line.engine, 'jsc');
  assert.ok(all.rules.some(({ id }) => id === 'jsc/too-early'));
  assert.ok(!line.rules.some(({ id }) => id === 'jsc/too-early'));
  assert.equal(rules().version, process.versions.node);
});

test('a word of a report has the meanings that the command prints', async () => {
  const [meaning, ...others] = await explain('holey-array');
  assert.deepEqual([meaning?.kind, meaning?.word, others.length > 0], ['rule, slow', 'v8/holey-array', true]);
  assert.match(meaning?.text ?? '', /^holey array\. V8 /);
  await assert.rejects(explain('no-such-word'), { name: 'ToolError', code: 'usage' });
});
