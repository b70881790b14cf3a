import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { REMEDIES } from '../../src/codec/remedies/index.ts';
import { ENGINES, RULE_BOOKS } from '../../src/engines/index.ts';
import { compareVersions, inRange, turningPoints, unionOf } from '../../src/engines/versions/versions.ts';
import type { Channel } from '../../src/model/names.ts';
import { allFixes, fixOf, type Rule, type Scope } from '../../src/model/rules/rule.ts';
import { tableOf } from './classify/classified.ts';

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

test('a rule that blocks a path or has a cost is not a note, unless the cost is negligible', () => {
  const free = ['v8/empty'];
  const sinners = rules.filter((r) => r.level === 'note' && (r.blocks || r.costs) && !free.includes(r.id));
  assert.deepEqual(sinners, []);
});

test('every lossy rule says what is lost, and no rule that costs or refuses does', () => {
  const wrong = rules.filter(({ level, loses }) =>
    level === 'lossy' ? loses === undefined : level !== 'note' && loses !== undefined,
  );
  assert.deepEqual(wrong, []);
});

test('a rule that depends on the final path blocks none', () => {
  assert.deepEqual(
    rules.filter((rule) => rule.on !== undefined && rule.blocks?.length),
    [],
  );
});

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
