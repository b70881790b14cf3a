import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { makeRepository } from '../support/git-repository.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';
import { usually } from '../support/whole.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const scenario: CliScenario = {
  files: {
    'clone-prof.config.json': JSON.stringify({
      runtimes: ['node', 'bun@1.4.5'],
      payloads: [...names, 'gone'].map((n) => `${n}.json`),
    }),
    ...Object.fromEntries([...names, 'gone'].map((name, index) => [`${name}.json`, JSON.stringify([index])])),
  },
  setUp: (cwd) => makeRepository(cwd, {}),
  changed: {
    'clone-prof.config.json': JSON.stringify({
      runtimes: ['node', 'bun@1.4.5'],
      payloads: [...names, 'new'].map((n) => `${n}.json`),
    }),
    'b.json': '[{"x":{"y":1}}]',
    'new.json': '1',
  },
  runtimes: ['bun@1.4.5', 'node@24.0.0'],
  env: { PATH: process.env.PATH ?? '' },
};

const check = (...more: string[]) => ['check', '--base', 'main', ...more];

for (const count of usually([3], [1, 2, 20])) {
  test(`--base: ${count} merged shards equal the unsharded run`, async () => {
    const { stdout } = await runCli(check('-f', 'json'), scenario);
    const whole = JSON.parse(stdout) as CheckReport;
    assert.equal(whole.compared?.length, 14);
    assert.deepEqual(
      [
        ...new Set(
          whole.results.filter(({ outcome }) => outcome === 'unmatched').map(({ payload }) => payload),
        ),
      ],
      ['gone', 'new'],
    );
    const shards = Array.from({ length: count }, (_, index) => index + 1);
    // Changes are made after the commands that run before.
    const scripts = shards.map((index) => check('--shard', `${index}/${count}`, '-f', `json=${index}.json`));
    const parts: Record<string, string> = {};
    for (const [index, args] of scripts.entries()) {
      const name = `${index + 1}.json`;
      parts[name] = (await runCli(args, { ...scenario, shows: [name] })).files[name] ?? '';
    }
    const merged = await runCli(['check', '--merge', ...Object.keys(parts), '-f', 'json'], { files: parts });
    assert.deepEqual(JSON.parse(merged.stdout), whole);
    assert.equal(merged.code, 1);
    if (count < 2) return;
    const { '1.json': _, ...rest } = parts;
    const gap = await runCli(['check', '--merge', ...Object.keys(rest)], { files: rest });
    assert.deepEqual([gap.code, gap.stdout], [2, '']);
    assert.match(gap.stderr, /shard 1 of \d+ is missing/);
  });
}
