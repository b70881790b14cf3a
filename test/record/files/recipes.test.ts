import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { RecordedMessages } from '../../../src/model/documents/recorded/recording.ts';
import type { ValueTree } from '../../../src/model/documents/recorded/value-tree.ts';
import type { Serialization } from '../../../src/model/names.ts';
import type { PostingApi } from '../../../src/model/recording/recording.ts';
import { isModule, type Source } from '../../../src/model/report/recipe.ts';
import { inEnvelope } from '../../../src/record/envelopes/envelopes.ts';
import { ALL_SITES, type RecordingChoice } from '../../../src/record/files/recipes.ts';
import { recordingText } from '../../../src/record/files/recording-files.ts';
import { channelOf } from '../../../src/record/sites/sites.ts';
import { recording } from '../../make.ts';
import { project } from '../../support/temp-project.ts';
import { treeOf } from '../module/made-again.ts';

const at = (file: string, line: number) => ({ user: { file, line, column: 1, name: null }, library: null });
const costing = (total: number, more: Partial<RecordedMessages> = {}): Partial<RecordedMessages> => ({
  send: { timed: 9, median: 1, max: 1, total, long: 0 },
  ...more,
});
const sites = (...totals: number[]) =>
  totals.map((total, index) => costing(total, { site: at('src/a.js', index + 1) }));

const fileOf = (groups: readonly Partial<RecordedMessages>[], header = {}) =>
  recordingText(recording(header, groups));

const choice = (more: Partial<RecordingChoice>) => ({ recordings: { ...ALL_SITES, ...more } });
const idOf = (source: Source) => (source.kind === 'failed' ? source.id : source.recipe.id);

const loaded = (groups: readonly Partial<RecordedMessages>[], header = {}) =>
  project({ 'app.cprof': fileOf(groups, header) }).load(['app.cprof']);

test('--site takes the name of a site in a report of several recordings', async () => {
  const { load } = project({ 'app.cprof': fileOf(sites(1, 90)) });
  assert.deepEqual((await load(['app.cprof'], choice({ site: 'app/a.js:1' }))).map(idOf), ['a.js:1']);
});

test('a site counts as data: no configuration of the project is loaded for its module', async () => {
  const { load, workdir } = project({ 'app.cprof': fileOf(sites(1)) });
  const [source] = await load(['app.cprof']);
  assert.ok(source?.kind === 'ready' && source.recipe.build.form === 'module');
  assert.equal(isModule(source.recipe), false);
  assert.ok(source.recipe.build.file.startsWith(workdir));
  assert.deepEqual(source.recipe.source, { file: 'app.cprof', export: null });
  assert.match(await readFile(source.recipe.build.file, 'utf8'), /export default/);
});

test('all that one site posts in one envelope are samples of one schema, the cheap and the expensive', async () => {
  const groups: Partial<RecordedMessages>[] = [
    costing(97e6, { site: at('src/a.js', 1) }),
    costing(1, { site: at('src/a.js', 1) }),
    costing(1, { site: at('src/a.js', 1), api: 'structuredClone' }),
    costing(1, { site: at('src/a.js', 2) }),
    costing(1, { site: at('src/a.js', 1), sample: null }),
  ];
  const [source, ...others] = await loaded(groups);
  assert.equal(others.length, 0);
  const actual = source?.recorded?.samples?.map(({ id }) => id);
  assert.deepEqual(actual, ['a.js:1', 'a.js:1#2']);
  assert.equal('sample' in source!.recorded!.traffic, false);
});

const CHANNELS: [PostingApi, string, serialization?: Serialization][] = [
  ['workerData', 'worker'],
  ['Client.postMessage', 'service-worker'],
  ['process.send', 'ipc-json'],
  ['process.send', 'ipc-json', 'json'],
  ['ChildProcess.send', 'ipc-advanced', 'advanced'],
];

test('each message travels by a channel of its own, unless channels are named', async () => {
  for (const [api, channel, serialization = null] of CHANNELS)
    assert.equal(channelOf({ api, serialization }), channel, api);
  const { load } = project({ 'app.cprof': fileOf([{}]) });
  const [named] = await load(['app.cprof'], choice({ overNamedChannels: true }));
  assert.equal(named?.recorded?.channel, null);
});

async function madeBy(source: Source): Promise<object> {
  assert.ok(source.kind === 'ready' && source.recipe.build.form === 'module');
  const { default: make } = (await import(source.recipe.build.file)) as { default: () => object };
  return make();
}

test('a request of a library is its value, posted as --via does; a reply is what was posted', async () => {
  const sample = treeOf(inEnvelope('piscina', { rows: [1, 2, 3] }));
  const envelope = (direction: 'request' | 'reply'): Partial<RecordedMessages> => ({
    sample,
    envelope: { library: 'piscina', direction },
  });
  const made = await loaded([envelope('request'), envelope('reply')]);
  const values = await Promise.all(made.map(madeBy));
  assert.deepEqual(values.map(Object.keys), [
    ['rows'],
    ['task', 'taskId', 'filename', 'name', 'histogramEnabled'],
  ]);
  const via = made.map((source) => source.kind !== 'failed' && source.recipe.via);
  assert.deepEqual(via, ['piscina', null]);
});

test('a message that was kept is posted itself', async () => {
  const sample: ValueTree = { is: 'object', entries: [['name', 'Ada']] };
  for (const [values, from] of Object.entries({ kept: 'sample', masked: 'masked-sample' })) {
    const [source] = await loaded([{ sample }], { values });
    assert.deepEqual(await madeBy(source!), { name: 'Ada' });
    assert.equal(source!.recorded?.traffic.values?.from, from);
  }
});

test("a message that is too large to be made is that site's error", async () => {
  const sample: ValueTree = { is: 'array', items: [1], of: 1e9 };
  const [failed, other] = await loaded([{ sample }, {}]);
  assert.ok(failed?.kind === 'failed');
  assert.match(failed.error.message, /^app\.cprof: .*1000000001 values and 0 bytes, at most 20000000 and/);
  assert.equal(other?.kind, 'ready');
});

test('several recordings can be loaded next to other inputs', async () => {
  const text = fileOf(sites(1));
  const { load } = project({ 'a.cprof': text, 'sub/b.cprof': text, 'x.json': '1' });
  const sources = await load(['a.cprof', 'x.json', 'sub/*.cprof']);
  assert.deepEqual(sources.map(idOf), ['a/a.js:1', 'x', 'b/a.js:1']);
});

test('a recording without messages says so, and what was not seen', async () => {
  const gaps = [{ what: 'a worker with an environment of its own', count: 1 }];
  const [source] = await loaded([], { gaps });
  assert.ok(source?.kind === 'failed');
  assert.equal(source.error.code, 'recording-empty');
  assert.match(source.error.message, /environment of its own/);
});
