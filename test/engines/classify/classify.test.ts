/** Verdicts, findings, proposals and bytes. What modules of fixtures/payloads show of single rules on real engines is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postBytes, propose } from '../../../src/engines/classify/classify.ts';
import { missingClass, positionsOf } from '../../../src/engines/classify/match.ts';
import { ENGINES, PLATFORM_POSTS } from '../../../src/engines/index.ts';
import type { Finding, PostBytes } from '../../../src/model/documents/classification.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import { type PathName, RUNTIME_NAMES } from '../../../src/model/names.ts';
import type { Remedy } from '../../../src/model/rules/remedy.ts';
import type { Classification, RulePosition } from '../../../src/model/rules/rule.ts';
import { PLATFORM_CLASSES } from '../../../src/model/vocabulary/platform-classes.ts';
import type { Flag } from '../../../src/model/vocabulary/shape.ts';
import { describe } from '../../../src/value/describe/describe.ts';
import { blocker, finding, row, rowsIn, shapeOf, verdict } from '../../make.ts';
import { probeFor } from '../../support/probe.ts';
import { classified, contextOf, run, tableOf } from './classified.ts';

const VERDICTS = [...tableOf('verdicts of JavaScriptCore'), ...tableOf('verdicts of V8')];
for (const [where = '', facts = '', expected, blockers] of VERDICTS)
  test(`${where}: ${facts}`, () => {
    const { verdict } = run(where, rowsIn(facts));
    assert.deepEqual(
      [`${verdict.path} ${verdict.class}`, verdict.blockers.map((b) => `${b.rule} ${b.path}`).join(', ')],
      [expected, blockers],
    );
  });

for (const [where = '', facts = '', upgrade] of tableOf('upgrades'))
  test(`upgrade from ${where}: ${facts}`, () => {
    const found = run(where, rowsIn(facts)).verdict.upgrade;
    assert.equal(found ? `${found.since} ${found.path} ${found.class}` : 'null', upgrade);
  });

for (const [where = '', facts = '', path] of tableOf('paths without blockers'))
  test(`aspired on ${where}: ${facts}`, () =>
    assert.equal(String(run(where, rowsIn(facts)).verdict.aspired), path));

const seen = ({ verdict, findings }: ReturnType<typeof run>): string[] => [
  `${verdict.path} ${verdict.class}`,
  ...findings.filter(({ rule }) => !rule.startsWith('spec/')).map(({ rule, path }) => `${rule} ${path}`),
  ...verdict.unknowns.map(
    ({ what, path, otherwise }) => `? ${what} ${path} else ${otherwise?.class} ${otherwise?.rule}`,
  ),
];

for (const [where = '', facts = '', expected] of tableOf('browsers'))
  test(`${where}: ${facts}`, () => assert.equal(seen(run(where, rowsIn(facts))).join(', '), expected));

for (const [where = '', facts = '', verdict, rules] of tableOf('objects of the platform'))
  test(`${where}: ${facts}`, () => {
    const told = run(where, rowsIn(facts));
    const found = told.findings.map(({ rule }) => rule).sort();
    assert.deepEqual([`${told.verdict.path} ${told.verdict.class}`, found.join(', ')], [verdict, rules]);
  });

for (const [pattern = '', at, holds] of tableOf('positions'))
  test(`a value at ${pattern} is ${at}: ${holds}`, () =>
    assert.equal(String(positionsOf(row(pattern, 'object')).includes(at as RulePosition)), holds));

test('one finding per rule and pattern: counts and bytes are sums, the example is the first', () => {
  const view = (count: number, flags: Facts['flags'], example: string) =>
    row('$[*]', 'typedarray', ['view-of-larger', ...flags], {
      count,
      example,
      tag: 'Float64Array',
      bytes: { total: 80 * count, max: 80, backing: 8000 * count },
    });
  const { findings } = run('node@24.21.0', [
    row('$', 'array', ['packed-elements']),
    view(2, [], '$[0]'),
    view(3, ['resizable'], '$[7]'),
  ]);
  assert.deepEqual(findings, [
    {
      rule: 'spec/view-of-larger',
      level: 'slow',
      path: '$[*]',
      count: 5,
      example: '$[0]',
      what: 'Float64Array',
      bytes: { meant: 400, copied: 40_000 },
    },
  ] satisfies Finding[]);
});

test('a value that several rows of one rule are about is counted once', () => {
  const url = row('$.at', 'not-cloneable', [], { tag: 'URL', count: 3 });
  const { findings } = run('node@20.20.2 storage', [row('$', 'object'), url]);
  assert.deepEqual(
    findings.map(({ rule, count }) => `${rule} ${count}`),
    ['v8/platform-emptied 3'],
  );
});

test('findings come worst first', () => {
  const { findings } = run('bun@1.4.5', [
    row('$', 'object', ['class-instance'], { tag: 'Job' }),
    row('$.pattern', 'regexp'),
    row('$.done', 'function'),
    row('$.task', 'object'),
  ]);
  assert.deepEqual(
    findings.map((f) => `${f.level} ${f.rule} ${f.path} ${f.what}`),
    [
      'rejected spec/function $.done function',
      'slow jsc/nested-value $.pattern RegExp',
      'slow jsc/nested-value $.task object',
      'lossy spec/class-instance $ class Job',
      'note spec/regexp $.pattern RegExp',
    ],
  );
});

for (const [where, facts, rule, isTold] of [
  ['chromium@156', '$ sharedarraybuffer wasm-memory non-extensible', 'spec/frozen', false],
  ['chromium@156', '$ typedarray wasm-memory non-extensible', 'spec/frozen', true],
  ['webkit@2.50', '$ error has-cause', 'spec/error-cause', false],
  ['workerd@1.20260420.0 structured-clone', '$ error extra-props', 'spec/error-props', true],
  ['workerd@1.20260421.0 structured-clone', '$ error extra-props', 'spec/error-props', false],
] as const)
  test(`${where}: ${facts}: ${rule} is ${isTold ? '' : 'not '}told`, () => {
    const { findings } = run(where, rowsIn(facts));
    assert.equal(
      findings.some((one) => one.rule === rule),
      isTold,
    );
  });

const asked = (runtime: string, patterns: Facts[]) =>
  run(runtime, patterns).verdict.unknowns.map(({ what, path, count }) => `${what} ${path} ${count}`);

for (const [runtime = '', facts = '', unknowns] of tableOf('unknowns'))
  test(`unknown on ${runtime}: ${facts}`, () =>
    assert.equal(asked(runtime, rowsIn(facts)).join(', '), unknowns));

test('the width of a string that was not queried is unknown if it may matter', () => {
  const text = (units: number, count: number, ...flags: Flag[]) => [
    row('$', 'array', ['packed-elements']),
    row('$[*]', 'string', flags, { count, size: { min: 1, max: units, total: units * count } }),
  ];
  assert.deepEqual(asked('node@20.20.2', text(64, 1)), ['string-width $[*] 1']);
  assert.deepEqual(asked('node@20.20.2', text(10, 1000)), ['string-width $[*] 1000']);
  assert.deepEqual(asked('node@20.20.2', text(63, 999)), []);
  assert.deepEqual(asked('node@20.20.2', text(5000, 5000, 'one-byte')), []);
});

test('what a bounded walk left out is unknown; patterns that it folded lose nothing', () => {
  const unknown = (truncated: Partial<Shape['truncated']>) => {
    const shape = shapeOf('v8', row('$', 'array', ['packed-elements']));
    Object.assign(shape.truncated, truncated);
    return classified('node@24.21.0', shape).verdict.unknowns.map(({ what }) => what);
  };
  assert.deepEqual(unknown({ items: true }), ['patterns-left-out']);
  assert.deepEqual(unknown({ patterns: true, depth: true }), []);
});

// Remedies that answer the findings.
const shape = shapeOf('v8');

function remedy(name: string, ...paths: string[]): Remedy {
  return {
    name,
    title: name,
    plans: () => paths.map((path): Plan => ({ path })),
    apply: (value) => value,
    restore: (message) => message,
    codec: () => ({ source: '', calls: { sender: '', receiver: '' }, messageType: 'Payload', assumes: [] }),
  };
}

function found(blockers: string[], slow: string[] = [], notes: string[] = []): Classification {
  const findings = [
    ...slow.map((rule) => finding(rule, '$')),
    ...notes.map((rule) => finding(rule, '$', { level: 'note' })),
  ];
  return { verdict: verdict({ blockers: blockers.map((rule) => blocker(finding(rule, '$'))) }), findings };
}

const RULES = [
  { id: 'nested', remedies: ['plain', 'json-text'] },
  { id: 'holey', remedies: ['repack'] },
  { id: 'text', remedies: ['rebuild'] },
];
const all = [
  remedy('rebuild', '$'),
  remedy('repack', '$.a', '$.b'),
  remedy('json-text', '$', '$.a'),
  remedy('plain', '$'),
  remedy('share'),
];
const shown = (proposals: { remedy: string; plan: Plan }[]) =>
  proposals.map(({ remedy: name, plan }) => `${name} ${plan.path}`);

const PROPOSALS: [name: string, facts: Classification, limit: number, expected: string[]][] = [
  ['own order without findings', found([]), 3, ['rebuild $', 'repack $.a', 'json-text $']],
  ['blockers first, in the order of the rule', found(['nested']), 3, ['plain $', 'json-text $', 'rebuild $']],
  ['then what is slow', found(['nested'], ['holey']), 3, ['plain $', 'json-text $', 'repack $.a']],
  ['notes do not count', found([], [], ['nested']), 2, ['rebuild $', 'json-text $']],
  [
    'first plans before second ones',
    found(['holey']),
    9,
    ['repack $.a', 'rebuild $', 'json-text $', 'plain $', 'repack $.b', 'json-text $.a'],
  ],
  ['json-text is never crowded out', found(['holey', 'text']), 2, ['repack $.a', 'json-text $']],
  ['unknown rules name nothing', found(['strange']), 1, ['json-text $']],
  ['no room', found(['nested']), 0, []],
];

for (const [name, facts, limit, expected] of PROPOSALS)
  test(`propose: ${name}`, () => {
    assert.deepEqual(shown(propose(shape, facts, all, limit, RULES)), expected);
  });

test('propose: six plans by default, equal plans once', () => {
  const many = Array.from({ length: 9 }, (_, i) => remedy(`r${i}`, '$', '$'));
  assert.deepEqual(shown(propose(shape, found([]), many)), ['r0 $', 'r1 $', 'r2 $', 'r3 $', 'r4 $', 'r5 $']);
});

// The bytes on each path: counted by the engine where it was asked, else estimated.

const probe = await probeFor({ assume: 'jsc' });
const TEXT = { s: `${'x'.repeat(500)}${process.pid}`.slice(0, 500) };
const SHARED = { memory: new SharedArrayBuffer(1000) };
const NODE = 'node@24.21.0';
const BUN = 'bun@1.4.5';

type Counted = Partial<Record<PathName, number>>;
type Told = [copied: number, moved: number, shared: number, by: PostBytes['by']];
const BYTES: [name: string, value: unknown, where: string, path: PathName, message: Counted, told: Told][] = [
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

for (const [name, value, where, path, message, told] of BYTES)
  test(`bytes: ${name}`, () => {
    const shape = describe(value, probe, { jsonBytes: true });
    const counted = Object.entries(message).map(([on, bytes]) => ({ path: on as PathName, bytes }));
    const context = contextOf(where);
    const one = postBytes(shape, path, ENGINES[context.runtime.engine], context, counted, told[1])!;
    assert.deepEqual([one.copied, one.moved, one.shared, one.by], told);
  });

test('the bytes of a rejected post are null', () => {
  assert.equal(postBytes(describe(TEXT, probe), 'rejected', ENGINES.v8, contextOf(NODE), []), null);
});

// Objects of the platform, by the table of what runtimes do with them.

const object = (tag: string, ...flags: Flag[]) => row('$', 'platform', flags, { tag });

test('copied pixels are counted as copied; frames are counted as shared by both sides', () => {
  const bytes = { total: 1_228_800, max: 1_228_800 };
  const bitmap = { ...object('ImageBitmap'), bytes: { ...bytes, backing: 1_228_800 } };
  const frame = { ...object('VideoFrame'), bytes: { ...bytes, backing: 0, shared: 1_228_800 } };
  const told = [bitmap, frame].map((facts) =>
    postBytes(shapeOf('webkit', facts), 'serializer', ENGINES.webkit, contextOf('webkit@2.50'), []),
  );
  assert.deepEqual(
    told.map((one) => [one?.copied, one?.shared]),
    [
      [1_228_803, 0],
      [3, 1_228_800],
    ],
  );
});

test('a runtime has a class or not', () => {
  const without = (facts: Facts) =>
    RUNTIME_NAMES.filter((name) => missingClass(shapeOf('v8', facts), PLATFORM_POSTS, name) !== null);
  assert.deepEqual(without(object('VideoFrame')), ['node', 'bun', 'deno', 'electron', 'workerd']);
  assert.deepEqual(without(object('ImageData')), ['node', 'bun', 'electron', 'workerd']);
  assert.deepEqual(without(object('CropTarget')), [
    'node',
    'bun',
    'deno',
    'electron',
    'workerd',
    'firefox',
    'webkit',
  ]);
  assert.deepEqual(without(object('Blob')), []);
  // Of the user's.
  assert.deepEqual(without(row('$', 'object', ['class-instance'], { tag: 'ImageData' })), []);
});

test('classes not marked as transferable are never moved, and every class can be posted somewhere', () => {
  for (const [name, { marked }] of Object.entries(PLATFORM_CLASSES)) {
    const rows = Object.values(PLATFORM_POSTS[name as keyof typeof PLATFORM_CLASSES]).flat();
    assert.ok(rows.length > 0, name);
    if (!marked.includes('transferable'))
      assert.ok(
        rows.every(({ as }) => !as.includes('moved')),
        name,
      );
  }
});
