import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { rulesDoc } from '../../../scripts/rules-doc.ts';
import { ruleBook } from '../../../src/engines/rule-book/rule-book.ts';

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

test('docs/rules.md is what the rule tables say; `npm run docs` writes it', () => {
  const written = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8').split('\n');
  const expected = rulesDoc().split('\n');
  // The whole text, of 130 kB, would be printed twice.
  const line = expected.findIndex((text, at) => text !== written[at]);
  if (line !== -1) assert.equal(written[line], expected[line], `line ${line + 1}`);
  assert.equal(written.length, expected.length);
});
