import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/check.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

const payloads: [string, string][] = [
  ['flat', '[{"id":1},{"id":2}]'],
  ['nested', '[{"id":1,"geo":{"lat":1}}]'],
  ['text', '"hello"'],
  ['numbers', '[1,2,3]'],
  ['odd', '{"__proto__":1,"::error::":{"a":[{}]}}'],
];
const CONFIG = JSON.stringify({
  runtimes: ['bun@1.4.5', 'node', 'deno'],
  channels: ['worker', 'structured-clone'],
  limits: { class: 'in-memory', maxNodes: 4 },
  payloads: [...payloads.map(([name]) => `${name}.json`), 'absent.json'],
});
const scenario: CliScenario = {
  files: {
    'clone-prof.config.json': CONFIG,
    ...Object.fromEntries(payloads.map(([name, text]) => [`${name}.json`, text])),
  },
  runtimes: ['bun@1.4.5', 'node@24.0.0'],
};

for (const count of [1, 2, 4, 7, 50]) {
  test(`${count} merged shards equal the unsharded run`, async () => {
    const whole = await runCli(['check', '-f', 'json'], scenario);
    const report = JSON.parse(whole.stdout) as CheckReport;
    assert.ok(report.results.length > 100);
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    const files = numbers.map((number) => `shard-${number}.json`);
    const merged = await runCli(['check', '-f', 'json', '--merge', ...files.toReversed()], {
      ...scenario,
      before: numbers.map((number) => [
        'check',
        '--shard',
        `${number}/${count}`,
        '-f',
        `json=shard-${number}.json`,
      ]),
      shows: files,
    });
    assert.deepEqual([merged.code, merged.stderr], [whole.code, whole.stderr]);
    assert.equal(merged.stdout, whole.stdout);
    const parts = Object.values(merged.files).map(
      (text) => (JSON.parse(text ?? '') as CheckReport).results.length,
    );
    assert.equal(
      parts.reduce((sum, part) => sum + part, 0),
      report.results.length,
    );
    assert.ok(
      count > 10 || Math.max(...parts) - Math.min(...parts) <= report.results.length / count,
      parts.join(),
    );
  });
}

test('an empty shard is a valid report that passes', async () => {
  const { code, stdout } = await runCli(['check', '--shard', '50/50', '-f', 'json'], scenario);
  assert.deepEqual(JSON.parse(stdout), {
    schema: 'clone-prof/check@1',
    passed: true,
    results: [],
    failures: [],
  });
  assert.equal(code, 0);
});

test('a failed shard fails the merged run', async () => {
  const files = { 'a.json': '{"schema":"clone-prof/check@1","passed":true,"results":[],"failures":[]}' };
  const broken = { ...scenario, files: { ...scenario.files, ...files } };
  const before = [['check', '--shard', '1/2', '-f', 'json=b.json']];
  assert.equal((await runCli(['check', '--merge', 'a.json', 'b.json'], { ...broken, before })).code, 1);
  assert.equal((await runCli(['check', '--merge', 'a.json'], broken)).code, 0);
  assert.equal((await runCli(['check', '--merge', 'a.json', 'never-written.json'], broken)).code, 2);
});
