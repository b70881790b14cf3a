import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AnalyzeOptions,
  analyze,
  type CheckOptions,
  check,
  type SweepOptions,
  sweep,
} from '../../../src/index.ts';

const refused = (message: RegExp) => ({ name: 'ToolError', code: 'usage', message });

for (const [options, message] of [
  [{ runtimes: 'node' }, /^analyze: runtimes: expected array; got "node"$/],
  [{ channels: ['foo'] }, /^analyze: channels\[0\]: expected one of "worker".*; got "foo"$/],
  [{ budgetMs: '5s' }, /^analyze: budgetMs: expected number; got "5s"$/],
  [
    { measure: 'no', via: ['none'] },
    /^analyze: via\[0\]: .*got "none"; measure: expected boolean; got "no"$/,
  ],
  [{ runtime: ['node'] }, /^analyze: unknown key "runtime"\. Known: .*runtimes/],
  [null, /^analyze: expected object; got null$/],
] as const)
  test(`analyze refuses the options ${JSON.stringify(options)}`, () =>
    assert.rejects(analyze({ a: 1 }, options as never), refused(message)));

test('sweep and check refuse unknown options too', async () => {
  await assert.rejects(
    sweep('a.json', { exports: ['a'] } as never),
    refused(/^sweep: unknown key "exports"/),
  );
  await assert.rejects(check([], { measure: false } as never), refused(/^check: unknown key "measure"/));
});

const RUN = {
  ...{ timeoutMs: 1, offline: true, projectNpmrc: false, cwd: '/', signal: AbortSignal.abort() },
  ...{ onEvent: () => {}, runtimes: ['none'], budgetMs: 1, totalMs: 1, seed: 1 },
};

/** All options that the types have. */
const ANALYZE: Required<AnalyzeOptions> = {
  ...{ ...RUN, channels: ['worker'], exports: ['a'], via: ['comlink'], try: ['v8'], top: 1, site: 'a' },
  ...{ transfer: ['$'], sender: 'main', as: 'json', measure: true, byPath: false, one: false },
};
const SWEEP: Required<SweepOptions> = {
  ...{ ...RUN, channels: ['worker'], export: 'a', via: 'comlink', as: 'json', by: 'items' },
  ...{ scale: { from: 1, to: 2 }, steps: 2 },
};
const CHECK: Required<CheckOptions> = {
  ...{ ...RUN, config: 'a', base: 'a', baseline: 'a', keys: true, allowRemoved: true },
  shard: { index: 1, count: 2 },
};

test('each option of the types is known', async () => {
  const runs = [() => analyze('none.json', ANALYZE), () => sweep('none.json', SWEEP), () => check([], CHECK)];
  for (const run of runs)
    await assert.rejects(run, (error: Error) => !/: (?:unknown key|expected)/.test(error.message));
});
