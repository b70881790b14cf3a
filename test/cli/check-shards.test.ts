/** Merged shards say what the unsharded run says, however many there are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { makeRepository } from '../support/git-repository.ts';
import { type CliScenario, inCliFolder } from '../support/run-cli.ts';

interface Project {
  scenario: CliScenario;
  /** After that, files change. */
  before?: string[];
  changed?: Record<string, string>;
  /** Behind `check`. */
  options?: string[];
  counts: number[];
  /** Of these counts, the shards have about as many results. */
  even?: number[];
  /** Payloads that are only on one side. */
  unmatched: string[];
}

const FILES = {
  'flat.json': '[{"id":1},{"id":2}]',
  'nested.json': '[{"id":1,"geo":{"lat":1}}]',
  'text.json': '"hello"',
  'numbers.json': '[1,2,3]',
  'odd.json': '{"__proto__":1,"::error::":{"a":[{}]}}',
};
const config = (payloads: string[], more: object = {}) => ({
  'clone-prof.config.json': JSON.stringify({ ...more, payloads: payloads.map((name) => `${name}.json`) }),
});
const runtimes = ['bun@1.4.5', 'node@24.0.0'];
const NAMES = ['flat', 'nested', 'text', 'numbers', 'odd'];

const PROJECTS: Record<string, Project> = {
  'one with many limits, a runtime and a payload that are missing': {
    scenario: {
      files: {
        ...FILES,
        ...config([...NAMES, 'absent'], {
          ...{ runtimes: ['bun@1.4.5', 'node', 'deno'], channels: ['worker', 'structured-clone'] },
          limits: { class: 'in-memory', maxNodes: 4 },
        }),
      },
      runtimes,
    },
    counts: [1, 4, 7, 50],
    even: [4, 7],
    unmatched: [],
  },
  'one that changed since its baseline': {
    scenario: { files: { ...FILES, ...config(['flat', 'text']) } },
    before: ['baseline'],
    changed: { 'renamed.json': FILES['flat.json'], ...config(['renamed', 'text', 'numbers']) },
    counts: [1, 2, 5],
    unmatched: ['flat', 'numbers', 'renamed'],
  },
  'one that changed since a commit': {
    scenario: {
      files: { ...FILES, 'gone.json': '7', ...config([...NAMES, 'gone'], { runtimes }) },
      setUp: (folder) => makeRepository(folder, {}),
      ...{ runtimes, env: { PATH: process.env.PATH ?? '' } },
    },
    changed: {
      'flat.json': '[{"x":{"y":1}}]',
      'new.json': '1',
      ...config([...NAMES, 'new'], { runtimes }),
    },
    options: ['--base', 'main'],
    counts: [2, 5],
    unmatched: ['gone', 'new', 'new'],
  },
};

for (const [
  name,
  { scenario, before, changed = {}, options = [], counts, even = [], unmatched },
] of Object.entries(PROJECTS))
  test(`shards of ${name}`, () =>
    inCliFolder(scenario, async ({ run, put, read }) => {
      if (before) await run(before);
      await put(changed);
      const whole = await run(['check', ...options, '-f', 'json']);
      const { results } = JSON.parse(whole.stdout) as CheckReport;
      const alone = results.filter(({ outcome }) => outcome === 'unmatched');
      assert.deepEqual(
        alone.map(({ payload }) => payload),
        unmatched,
      );
      for (const count of counts) {
        const files = Array.from({ length: count }, (_, at) => `shard-${at + 1}.json`);
        for (const [at, file] of files.entries())
          await run(['check', ...options, '--shard', `${at + 1}/${count}`, '-f', `json=${file}`]);
        const merged = await run(['check', '-f', 'json', '--merge', ...files.toReversed()]);
        assert.equal(merged.stdout, whole.stdout, `${count} shards`);
        // Each run has its own notes.
        const reasons = whole.stderr.replace(/^note: .*\n/gm, '');
        assert.deepEqual([merged.code, merged.stderr], [whole.code, reasons]);
        assert.equal(merged.code, 1);
        const sizes = await Promise.all(
          files.map(async (file) => (JSON.parse((await read(file)) ?? '') as CheckReport).results.length),
        );
        const difference = Math.max(...sizes) - Math.min(...sizes);
        assert.ok(!even.includes(count) || difference <= results.length / count, sizes.join());
      }
      await put({ 'whole.json': whole.stdout });
      assert.equal((await run(['check', '--merge', 'whole.json'])).code, 1);
    }));
