import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnalyzeRequest } from '../../../src/app/job/job.ts';
import type { Run } from '../../../src/model/documents/report.ts';
import { ToolError } from '../../../src/model/errors.ts';
import { moduleRecipe } from '../../make.ts';
import { type FakeDriver, type FakeScript, fakeDriver } from '../../support/fake-runtime.ts';
import { analyzed } from './analyzed.ts';

const recipe = moduleRecipe('carts#../x', '../x', 'carts.mjs');
const VALUES = { 'carts#../x': { rows: [{ a: 1 }, { a: 2 }], title: 'text' } };

async function withBranches(
  wishes: Partial<AnalyzeRequest>,
  script: FakeScript = {},
): Promise<{ runs: Run[]; driver: FakeDriver; warnings: string[] }> {
  const driver = fakeDriver({ values: VALUES, ...script });
  const warnings: string[] = [];
  const report = await analyzed(
    { sources: [{ kind: 'ready', recipe }], ...wishes },
    { driver, emit: (event) => event.type === 'warning' && warnings.push(event.text) },
  );
  assert.equal(driver.open, 0, 'no guest is left open');
  return { runs: report.payloads[0]?.runs ?? [], driver, warnings };
}

const PROFILE = { folder: '/tmp/out', shown: 'out' };
const askedFor = ({ asked }: FakeDriver, type: string) => asked.filter(({ ask }) => ask.type === type);

test('a profile comes after all timing; its files have safe names in the folder', async () => {
  const { runs, driver } = await withBranches({ profile: PROFILE, channels: ['worker', 'message-port'] });
  for (const { profile, channel } of runs) {
    assert.equal(profile?.files.length, 4);
    for (const file of profile?.files ?? []) {
      assert.match(file, new RegExp(`^out/carts-\\.\\.-x-[0-9a-f]{8}\\.node-24\\.0\\.0\\.${channel}\\.`));
    }
  }
  const kinds = driver.asked
    .filter(({ ask }) => 'channel' in ask && ask.channel === 'worker')
    .map(({ ask }) => ask.type);
  assert.ok(kinds.lastIndexOf('measure') < kinds.indexOf('profile'));
});

test('branches are timed against the original in the same processes', async () => {
  const { runs, driver } = await withBranches(
    { byPath: true },
    { times: { of: { 'without:$.rows': { roundTrip: 20_000 } } } },
  );
  assert.deepEqual(runs[0]?.byPath?.map(({ path }) => path).slice(0, 1), ['$.rows']);
  assert.equal(runs[0]?.byPath?.[0]?.send?.share.toFixed(2), '0.80');
  const timed = driver.asked.flatMap(({ ask }) => (ask.type === 'measure' ? [ask.variants] : []));
  const branches = timed.filter((variants) => variants.some(({ mode }) => mode === 'without'));
  assert.ok(branches.length >= 3);
  for (const variants of branches) assert.equal(variants[0]?.mode, 'original');
});

const FAILURE = new ToolError('guest-crashed', { detail: 'signal SIGSEGV' });

test('unknown bytes are a warning, and the times are kept', async () => {
  const fails: FakeScript['fails'] = ({ type }) => (type === 'branch-bytes' ? FAILURE : null);
  const { runs, warnings } = await withBranches({ byPath: true }, { fails });
  assert.equal(runs[0]?.byPath?.[0]?.bytes, null);
  assert.notEqual(runs[0]?.byPath?.[0]?.send, null);
  assert.match(warnings.join(), /bytes of its branches are unknown/);
});

test('a payload that could not be measured is not profiled', async () => {
  const fails: FakeScript['fails'] = ({ type }) => (type === 'measure' ? FAILURE : null);
  const { runs, driver } = await withBranches({ profile: PROFILE, byPath: true }, { fails });
  assert.equal(runs[0]?.status, 'failed');
  assert.deepEqual(askedFor(driver, 'profile'), []);
});
