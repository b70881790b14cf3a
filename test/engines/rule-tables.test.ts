import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulesDoc } from '../../scripts/rules-doc.ts';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import { findMatches, isInForce } from '../../src/engines/classify/match.ts';
import { ENGINES, RULE_BOOKS } from '../../src/engines/index.ts';
import { ruleBook } from '../../src/engines/rule-book/rule-book.ts';
import { compareVersions, inRange, turningPoints, unionOf } from '../../src/engines/versions/versions.ts';
import type { Shape } from '../../src/model/documents/shape.ts';
import { type Channel, mayHave, RUNTIME_NAMES } from '../../src/model/names.ts';
import { allFixes, fixOf, type Rule, type Scope } from '../../src/model/rules/rule.ts';
import { groupedBy } from '../../src/model/sums.ts';
import { rowsIn, shapeOf } from '../make.ts';
import { classified, contextOf, tableOf } from './classify/classified.ts';

const payloads = new URL('../../fixtures/payloads/', import.meta.url);
const engines = Object.values(ENGINES);
const rules: readonly Rule[] = Object.values(RULE_BOOKS).flat();
const fileOf = (id: string) => `${id.replaceAll('/', '-')}.js`;

test('rows of one id have the same texts; ids begin with the name of their rule book', () => {
  const texts = ({ level, title, why, fix, fixIn, remedies, source }: Rule) => [
    ...[level, title, why, fix, fixIn, remedies],
    source,
  ];
  for (const rule of rules)
    assert.deepEqual(texts(rule), texts(rules.find(({ id }) => id === rule.id)!), rule.id);
  for (const [name, book] of Object.entries(RULE_BOOKS))
    for (const { id } of book) assert.match(id, new RegExp(`^${name}/[a-z0-9]+(-[a-z0-9]+)*$`));
});

for (const rule of new Map(rules.map((one) => [one.id, one])).values()) {
  test(`${rule.id} has texts and a source`, () => {
    assert.ok(rule.title.length > 3 && rule.title.length <= 60, rule.title);
    assert.match(rule.why, /^[A-Z[].{30,}\.$/, rule.why);
    assert.ok(rule.source.length > 8);
    if (rule.level === 'rejected' || rule.level === 'slow') assert.match(rule.fix ?? '', /^.{10,}[.)]$/);
    const names = Object.keys(REMEDIES);
    for (const remedy of rule.remedies ?? []) assert.ok(names.includes(remedy), `no remedy ${remedy}`);
  });
}

for (const [id, channel, advice = ''] of tableOf('advice by channel'))
  test(`advice of ${id} over ${channel}`, () => {
    const rule = rules.find((one) => one.id === id)!;
    assert.match(fixOf(rule, channel as Channel) ?? '', new RegExp(advice));
  });

test('all advice of a rule has each text once, with its channels', () => {
  const fixIn = { rpc: 'Send less.', worker: 'Share it.', window: 'Share it.' };
  assert.deepEqual(allFixes({ fix: 'Leave it out.', fixIn }), [
    'Leave it out.',
    'rpc: Send less.',
    'worker, window: Share it.',
  ]);
});

/** Cost of an empty array or object, which is negligible. */
const FREE = 'v8/empty';
const WRONG: Record<string, (rule: Rule) => unknown> = {
  'a rule that blocks a path or has a cost is not a note, unless the cost is negligible': (rule) =>
    rule.level === 'note' && (rule.blocks || rule.costs) && rule.id !== FREE,
  'every lossy rule says what is lost, and no rule that costs or refuses does': ({ level, loses }) =>
    level === 'lossy' ? loses === undefined : level !== 'note' && loses !== undefined,
  'a rule that depends on the final path blocks none': (rule) => rule.on !== undefined && rule.blocks?.length,
};
for (const [name, isWrong] of Object.entries(WRONG))
  test(name, () => assert.deepEqual(rules.filter(isWrong), []));

test('a rule blocks only paths that its engine has', () => {
  for (const engine of engines) {
    const known = new Set(engine.paths.map(({ path }) => path));
    for (const rule of engine.rules)
      for (const path of [...(rule.blocks ?? []), ...(rule.on ?? [])])
        assert.ok(known.has(path), `${rule.id} names ${path}`);
  }
});

for (const engine of engines) {
  test(`${engine.name}: the last path takes everything; fallbacks exist`, () => {
    const last = engine.paths.at(-1)!;
    assert.deepEqual([last.path, last.root, last.scope], ['serializer', {}, undefined]);
    const known = new Set(engine.paths.map(({ path }) => path));
    for (const row of engine.paths) {
      assert.ok(row.title && /\.$/.test(row.why) && row.source, row.path);
      if (row.otherwise) assert.ok(known.has(row.otherwise), row.otherwise);
    }
  });

  test(`${engine.name}: the worse outcome of an unknown is explained by a slow rule`, () => {
    for (const { otherwise, what } of engine.unknowns) {
      if (!otherwise?.rule) continue;
      assert.equal(engine.rules.find((rule) => rule.id === otherwise.rule)?.level, 'slow', what);
    }
  });
}

test('every version range can be parsed and has a turning point', () => {
  const scopes: (Scope | undefined)[] = [
    ...rules.map((rule) => rule.scope),
    ...engines.flatMap((engine) => [...engine.paths, ...engine.unknowns].map((row) => row.scope)),
  ];
  const ranges = scopes.flatMap((scope) => Object.values(scope?.runtimes ?? {}));
  assert.ok(ranges.length > 40);
  for (const range of ranges) {
    assert.equal(typeof inRange('1.0.0', range), 'boolean');
    if (range !== '*') assert.ok(turningPoints(range).length > 0, range);
  }
});

test('every rule and path has a payload module, and every module one of them', () => {
  const wanted = new Set([
    // One of each class of the platform, for `verify`.
    'platform-objects.js',
    ...rules.map((rule) => fileOf(rule.id)),
    ...engines.flatMap((engine) => engine.paths.map(({ path }) => `path-${engine.name}-${path}.js`)),
  ]);
  assert.deepEqual(readdirSync(payloads).sort(), [...wanted].sort());
});

for (const [version = '', range = '', isIn] of tableOf('versions in ranges'))
  test(`${version} in '${range}': ${isIn}`, () => assert.equal(String(inRange(version, range)), isIn));

test('versions are compared by number, not by text', () => {
  assert.ok(compareVersions('1.3.10', '1.3.9') > 0);
  assert.ok(compareVersions('1.2', '1.2.1') < 0);
  assert.equal(compareVersions('v20.0', '20'), 0);
});

test('turning points are the versions that a range names', () => {
  assert.deepEqual(turningPoints('>=1.2.22 <1.4.0 || >=2'), ['1.2.22', '1.4.0', '2']);
  assert.deepEqual(turningPoints('*'), []);
});

for (const [ranges = '', together] of tableOf('ranges of versions together'))
  test(`${ranges} together: ${together}`, () => assert.equal(unionOf(ranges.split(', ')), together));

test('malformed versions and ranges are refused', () => {
  assert.throws(() => inRange('latest', '>=1'), RangeError);
  assert.throws(() => inRange('1.2.3', '^1.2'), RangeError);
});

// Further rows of a rule, next to the row whose payload is in fixtures/payloads.

const ROWS = tableOf('rows beside those of payload modules').map(
  ([where = '', facts = '', found = '']): [where: string, shape: Shape, found: string] => {
    return [where, shapeOf(contextOf(where).runtime.engine, ...rowsIn(facts)), found];
  },
);

const wholeOf = (facts: Partial<Shape>): Shape => ({ ...shapeOf('v8', ...rowsIn('$ object')), ...facts });

/** Facts of the whole payload. */
const WHOLE: [where: string, shape: Shape, found: string][] = [
  ['node@24.21.0', wholeOf({ depth: 4000 }), 'spec/too-deep $'],
  ['bun@1.4.5', wholeOf({ depth: 40_000 }), 'spec/too-deep $'],
  ['deno@2.9.6 ipc-json', wholeOf({ depth: 128 }), 'spec/too-deep $'],
  ['chromium@156 extension', wholeOf({ depth: 6000 }), 'spec/too-deep $'],
  ['electron@33.2.1 electron-bridge', wholeOf({ depth: 501 }), 'spec/too-deep $'],
  ['chromium@156 extension', wholeOf({ jsonBytes: 2 ** 26 + 1 }), 'spec/message-too-large $'],
  ['node@24.21.0 ipc-json', shapeOf('v8', ...rowsIn('$ string size=536870886')), 'spec/message-too-large $'],
];

const ALL = [...ROWS, ...WHOLE];

for (const [at, [where, shape, expected]] of ALL.entries())
  test(`row ${at + 1}, ${where}: ${expected}`, () => {
    const { findings } = classified(where, shape);
    const found = findings.map(({ rule, path }) => `${rule} ${path}`);
    assert.ok(found.includes(expected), found.join());
  });

/** True if a value of the tables has the finding by this row alone. */
const isTried = (row: Rule, rows: readonly Rule[]): boolean =>
  ALL.some(([where, shape]) => {
    const context = contextOf(where);
    const inForce = rows.filter(({ scope }) => isInForce(scope, context));
    const matches = findMatches(shape, inForce, context);
    return matches.length > 0 && matches.every(({ rule }) => rule === row);
  });

for (const [name, rules] of Object.entries(RULE_BOOKS))
  test(`${name}: each further row of a rule is tried here`, () => {
    const missing = [...groupedBy(rules, ({ id }) => id).values()].flatMap((rows) =>
      rows.slice(1).filter((row) => !isTried(row, rows)),
    );
    assert.deepEqual(
      missing.map(({ id, at, scope }) => ({ id, at, scope })),
      [],
    );
  });

// The rule book of a runtime.
const FAST = ['string-shared', 'simple-object', 'dense-array', 'int32-array'] as const;

/** Bun version, and which of FAST it has; see the release notes of 1.2.21, 1.2.22 and 1.3.10. */
const ARRIVALS: [string, string[]][] = [
  ['1.2.20', []],
  ['1.2.21', ['string-shared']],
  ['1.2.22', ['string-shared', 'simple-object']],
  ['1.3.9', ['string-shared', 'simple-object']],
  ['1.3.10', [...FAST]],
  ['1.4.5', [...FAST]],
];

for (const [version, expected] of ARRIVALS) {
  test(`the rule book of bun ${version} lists the fast paths that it has`, () => {
    const paths = ruleBook('bun', version).paths.map(({ path }) => path);
    assert.deepEqual(
      FAST.filter((path) => paths.includes(path)),
      expected,
    );
    assert.ok(paths.includes('serializer'));
  });
}

test('each path has its first version if no version is given', () => {
  const { paths } = ruleBook('bun', null);
  const since = (path: string) => paths.find((row) => row.path === path)?.versions;
  assert.deepEqual(FAST.map(since), ['>=1.2.21', '>=1.2.22', '>=1.3.10', '>=1.3.10']);
});

test('a rule book contains only rules of its runtime', () => {
  const ids = (runtime: 'node' | 'deno' | 'bun') =>
    new Set(ruleBook(runtime, null).rules.map(({ id }) => id));
  assert.ok(ids('node').has('v8/holey-array'));
  assert.ok(!ids('node').has('jsc/nested-value'));
  assert.ok(ids('bun').has('jsc/nested-value'));
  assert.ok(ids('bun').has('spec/function'));
  assert.ok(ruleBook('deno', null).paths.some(({ path }) => path === 'scalar-codec'));
  assert.ok(!ruleBook('node', null).paths.some(({ path }) => path === 'scalar-codec'));
});

for (const runtime of RUNTIME_NAMES)
  test(`the rule book of ${runtime} names only channels that ${runtime} may have`, () => {
    const { paths, rules } = ruleBook(runtime, null);
    const named = [...paths, ...rules].flatMap(({ channels }) => channels ?? []) as Channel[];
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((channel) => !mayHave(runtime, channel)),
      [],
    );
    assert.ok([...paths, ...rules].every(({ channels }) => channels?.length !== 0));
  });

test('versions and channels of the rows of a rule are joined', () => {
  const rule = (runtime: 'node' | 'deno' | 'bun' | 'firefox', id: string) =>
    ruleBook(runtime, null).rules.find((one) => one.id === id);
  assert.equal(rule('node', 'spec/platform-refused')?.versions, '>=21.0.0');
  assert.equal(rule('bun', 'spec/identity')?.versions, null);
  assert.deepEqual(rule('deno', 'spec/platform-refused')?.channels, [
    'message-port',
    'node-worker',
    'structured-clone',
  ]);
  assert.equal(rule('firefox', 'spec/json-cycle'), undefined, 'Firefox has no channel of JSON text');
  assert.equal(rule('deno', 'spec/json-bigint')?.channels?.join(), 'ipc-json');
});

test('advice of a rule book is for the channels of its runtime', () => {
  const fixIn = (runtime: 'node' | 'chromium') =>
    ruleBook(runtime, null).rules.find(({ id }) => id === 'spec/json-date')?.fix;
  assert.match(fixIn('node') ?? '', /fork\(/);
  assert.match(fixIn('chromium') ?? '', /manifest of the extension/);
});

test('docs/rules.md is what the rule tables say; `npm run docs` writes it', () => {
  const written = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8').split('\n');
  const expected = rulesDoc().split('\n');
  // The whole text, of 130 kB, would be printed twice.
  const line = expected.findIndex((text, at) => text !== written[at]);
  if (line !== -1) assert.equal(written[line], expected[line], `line ${line + 1}`);
  assert.equal(written.length, expected.length);
});
