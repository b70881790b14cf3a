import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
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
    // Each shard has its own notes.
    const reasons = whole.stderr.replace(/^note: .*\n/gm, '');
    assert.deepEqual([merged.code, merged.stderr], [whole.code, reasons]);
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

test('what nobody checked is the same in merged shards as in the unsharded run', async () => {
  const small: CliScenario = {
    files: {
      ...scenario.files,
      'clone-prof.config.json': JSON.stringify({ payloads: ['flat.json', 'text.json'] }),
    },
    runtimes: ['node@24.0.0'],
  };
  const changed = {
    'renamed.json': scenario.files?.['flat.json'] ?? '',
    'clone-prof.config.json': JSON.stringify({ payloads: ['renamed.json', 'text.json', 'numbers.json'] }),
  };
  const files = await baselineAndChanges(small, changed);
  const whole = await runCli(['check', '-f', 'json'], { ...small, files });
  const { results } = JSON.parse(whole.stdout) as CheckReport;
  assert.deepEqual(
    results.flatMap(({ payload, outcome, alike }) => (outcome === 'unmatched' ? [[payload, alike]] : [])),
    [
      ['flat', ['renamed']],
      ['numbers', undefined],
      ['renamed', ['flat']],
    ],
  );
  for (const count of [1, 2, 5]) {
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    const before = numbers.map((n) => ['check', '--shard', `${n}/${count}`, '-f', `json=${n}.json`]);
    const names = numbers.map((n) => `${n}.json`);
    const merged = await runCli(['check', '-f', 'json', '--merge', ...names], { ...small, files, before });
    assert.equal(merged.stdout, whole.stdout, `${count} shards`);
  }
});

/** The files of a project that wrote its baseline and changed then. */
async function baselineAndChanges(project: CliScenario, changed: Record<string, string>) {
  const { files } = await runCli(['baseline'], { ...project, shows: ['clone-prof.baseline.json'] });
  return { ...project.files, ...(files as Record<string, string>), ...changed };
}

test('an empty shard passes and says which it is', async () => {
  const { code, stdout } = await runCli(['check', '--shard', '50/50', '-f', 'json'], scenario);
  const { passed, results, failures, shard } = JSON.parse(stdout) as CheckReport;
  assert.deepEqual(
    { passed, results, failures, shard },
    { passed: true, results: [], failures: [], shard: { index: 50, count: 50 } },
  );
  assert.equal(code, 0);
});

test('a failed shard fails the merged run', async () => {
  const before = ['1/2', '2/2'].map((shard) => ['check', '--shard', shard, '-f', `json=${shard[0]}.json`]);
  assert.equal((await runCli(['check', '--merge', '1.json', '2.json'], { ...scenario, before })).code, 1);
  const whole = [['check', '-f', 'json=all.json']];
  assert.equal((await runCli(['check', '--merge', 'all.json'], { ...scenario, before: whole })).code, 1);
});
