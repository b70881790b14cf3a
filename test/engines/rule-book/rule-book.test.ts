import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulesDoc } from '../../../scripts/rules-doc.ts';
import { ruleBook } from '../../../src/engines/rule-book/rule-book.ts';
import { type Channel, mayHave, RUNTIME_NAMES } from '../../../src/model/names.ts';

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
  const written = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8').split('\n');
  const expected = rulesDoc().split('\n');
  // The whole text, of 130 kB, would be printed twice.
  const line = expected.findIndex((text, at) => text !== written[at]);
  if (line !== -1) assert.equal(written[line], expected[line], `line ${line + 1}`);
  assert.equal(written.length, expected.length);
});
