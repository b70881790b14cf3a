import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckReport } from '../../src/model/documents/check.ts';
import { makeRepository } from '../support/git-repository.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';
import { usually } from '../support/whole.ts';
import { testTranscripts } from './transcript.ts';

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

const ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]';
const NESTED = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan","geo":{"lat":1}}]';

/** The round trip of before takes 100 µs, that of now `roundTrip` ns. */
const timed = (roundTrip: number, jitter: number, limits: object = {}): CliScenario => ({
  files: {
    'rows.json': ROWS,
    'clone-prof.config.json': JSON.stringify({
      limits: { class: 'off', maxBytes: 'off', maxNodes: 'off', ...limits },
      payloads: ['rows.json'],
    }),
  },
  setUp: (cwd) => makeRepository(cwd, {}),
  changed: { 'rows.json': NESTED },
  env: { PATH: process.env.PATH ?? '' },
  script: { times: { of: { now: { roundTrip }, before: { roundTrip: 100_000 } }, jitter } },
});
const LIMIT = { time: '+10%' };

/** Two of three shards ran. */
const TWO_OF_THREE: CliScenario = {
  files: {
    ...{ 'a.json': '[1]', 'b.json': '[2]', 'c.json': '[3]' },
    'clone-prof.config.json': '{ "limits": { "time": "off" }, "payloads": ["a.json", "b.json", "c.json"] }',
  },
  setUp: (cwd) => makeRepository(cwd, {}),
  env: { PATH: process.env.PATH ?? '' },
  before: ['1', '3'].map((shard) => [
    'check',
    '--base',
    'main',
    '--shard',
    `${shard}/3`,
    '-o',
    `${shard}.out.json`,
  ]),
};

testTranscripts([
  {
    name: 'base-shard-missing',
    code: 2,
    says: [
      'clone-prof: cannot be merged: shard 2 of 3 is missing. Name the report of each shard of one check exactly once',
    ],
    args: 'check --merge 1.out.json 3.out.json',
    scenario: TWO_OF_THREE,
  },
  { name: 'base-time-slower', args: 'check --base main', scenario: timed(200_000, 0.02, LIMIT) },
  {
    name: 'base-time-same',
    says: [
      'rows on node@24.0.0 serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 %; time: +0 % (95 %: -5 % to +5 %)',
      '5 limits kept.',
    ],
    args: 'check --base main',
    scenario: timed(100_000, 0.02, LIMIT),
  },
  {
    name: 'base-time-unsure',
    code: 3,
    says: [
      'error: time: unsure: +10 % (95 %: +7 % to +13 %), limit +10%; the limit is within the interval: in this time growth from 3 % on can be detected; a longer --budget narrows it',
      'rows on node@24.0.0 serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 %; time: +10 % (95 %: +7 % to +13 %)',
      '1 limit undecided.',
    ],
    args: 'check --base main -b 1s',
    scenario: timed(110_000, 0.2, LIMIT),
  },
  {
    name: 'base-time-unlimited',
    says: [
      'rows on node@24.0.0 serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 %; time: +100 % (95 %: +90 % to +111 %)',
      '4 limits kept.',
    ],
    args: 'check --base main',
    scenario: timed(200_000, 0.02),
  },
  {
    name: 'base-time-off',
    says: ['rows on node@24.0.0 serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 %', '4 limits kept.'],
    args: 'check --base main',
    scenario: timed(200_000, 0.02, { time: 'off' }),
  },
  {
    name: 'base-time-unchanged',
    says: ['● rows on node@24.0.0 · 5 kept 5 limits kept.'],
    args: 'check --base main',
    scenario: { ...timed(200_000, 0.02, LIMIT), changed: {} },
  },
  {
    name: 'base-json',
    code: 1,
    says: [
      '"base": { "ref": "main",',
      '"before": { "class": "serialized", "path": "packed-array", "bytes": 46, "nodes": 7, "depth": 2 }',
      '"change": 1.9999165736821927',
      'clone-prof: rows on node@24.0.0: time +100 % (95 %: +90 % to +111 %), limit +10% at $[*].geo',
    ],
    args: 'check --base main -f json',
    scenario: timed(200_000, 0.02, LIMIT),
  },
  {
    name: 'base-github-summary',
    code: 1,
    says: [
      'clone-prof: 1 of 5 limits broken.',
      'clone-prof: rows on node@24.0.0: time +100 % (95 %: +90 % to +111 %), limit +10% at $[*].geo',
      '### ❌ clone-prof check',
    ],
    args: 'check --base main -f github',
    scenario: {
      ...timed(200_000, 0.02, LIMIT),
      env: { PATH: process.env.PATH ?? '', GITHUB_STEP_SUMMARY: '<cwd>/summary.md' },
      shows: ['summary.md'],
    },
  },
  {
    name: 'base-other-runtimes',
    says: [
      'rows on bun@1.4.5 in-memory -> serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 % rows on node@24.0.0 serialized; 46 B -> 62 B, +35 %; values: 7 -> 9, +29 %',
      '8 limits kept.',
    ],
    args: 'check --base main -r bun node',
    scenario: { ...timed(100_000, 0.02, { time: 'off' }), runtimes: ['bun@1.4.5', 'node@24.0.0'] },
  },
]);
