/** Shards that do not belong together. */
import { type QuickCase, testQuick } from './corpus.ts';
import {
  BASELINE,
  baselineOf,
  broken,
  CONFIG,
  config,
  facts,
  kept,
  ROWS,
  RUNTIMES,
  refused,
  rows,
} from './gate-project.ts';

const parts = ['1/3', '2/3', '3/3'].map((part) => ['check', '--shard', part, '-f', `json=${part[0]}.json`]);
const three = {
  files: { ...rows, 'b.json': '1', 'c.json': '2', [CONFIG]: config(['rows.json', 'b.json', 'c.json']) },
  runtimes: RUNTIMES,
};
const merge = (...files: string[]) => ({ ...three, args: ['check', '--merge', ...files], before: parts });
/** A report that the tool could have written. */
const partAt = (index: number, more: object = {}) =>
  JSON.stringify({
    ...{ schema: 'clone-prof/check@1', tool: { version: '0.1.0' }, passed: true },
    ...{ shard: { index, count: 3 }, inputs: { config: 'x', baseline: null, baselineFile: BASELINE } },
    ...{ results: [], failures: [], unchecked: [] },
    ...more,
  });
const FAILED = {
  ...{ payload: 'rows', runtime: 'node@24.0.0', channel: 'worker', limit: 'maxBytes', level: 'error' },
  ...{
    outcome: 'failed',
    written: '1 kB',
    against: null,
    expected: 1000,
    actual: 2000,
    was: null,
    change: null,
  },
  ...{ path: '$', example: null, rule: null, file: 'rows.json', line: 1 },
};
/** Three shards, the last one forged. */
const forged = (more: object): Pick<QuickCase, 'args' | 'files'> => ({
  args: ['check', '--merge', '1.json', '2.json', '3.json'],
  files: { '1.json': partAt(1), '2.json': partAt(2), '3.json': partAt(3, more) },
});

testQuick('gate, shards', [
  { name: 'all three', ...merge('3.json', '1.json', '2.json'), ...kept },
  { name: 'all three, as expected', ...merge('1.json', '2.json', '3.json', '--expect', CONFIG), ...kept },
  {
    name: 'all three of another config than expected',
    ...merge('1.json', '2.json', '3.json', '--expect', CONFIG),
    changed: { [CONFIG]: config(['rows.json', 'b.json']) },
    ...refused(/1\.json is not of the config of --expect/),
  },
  {
    name: 'one without results before one that has some',
    ...forged({ results: [{ ...FAILED, outcome: 'passed' }] }),
    ...refused(/1\.json has no results, and shard 3 has/),
  },
  { name: 'none has results', ...forged({}), ...refused(/none of them has results/) },
  {
    name: '--expect without --merge',
    ...three,
    args: ['check', '--expect', CONFIG],
    ...refused(/--expect is for --merge/),
  },
  { name: 'one is missing', ...merge('1.json', '3.json'), ...refused(/shard 2 of 3 is missing/) },
  { name: 'one of three alone', ...merge('2.json'), ...refused(/shard 1 of 3 is missing, and 1 more/) },
  {
    name: 'one of them twice',
    ...merge('1.json', '2.json', '2.json', '3.json'),
    ...refused(/2\.json and 2\.json are both shard 2 of 3/),
  },
  {
    name: 'one of another number',
    ...merge('1.json', '2.json', 'b.json'),
    before: [...parts, ['check', '--shard', '3/4', '-f', 'json=b.json']],
    ...refused(/1\.json and b\.json differ in the number of shards/),
  },
  {
    name: 'a whole check between them',
    ...merge('1.json', '2.json', 'all.json'),
    before: [...parts, ['check', '-f', 'json=all.json']],
    ...refused(/all\.json differ in the number of shards/),
  },
  {
    name: 'one of another selection',
    ...merge('1.json', '2.json', '3.json'),
    before: [...parts, ['check', 'rows', 'b', '--shard', '3/3', '-f', 'json=3.json']],
    ...refused(/3\.json differ in the config or selection/),
  },
  {
    name: 'one that had a baseline',
    ...merge('1.json', '2.json', '3.json'),
    before: [...parts, ['baseline'], parts[2] as string[]],
    ...refused(/3\.json differ in the baseline/),
  },
  {
    name: 'one of another version',
    ...forged({ tool: { version: '9.9.9' } }),
    ...refused(/differ in the version of clone-prof/),
  },
  {
    name: 'a number beyond the count',
    ...forged({ shard: { index: 4, count: 3 } }),
    ...refused(/3\.json says it is shard 4 of 3/),
  },
  {
    name: 'numbers as texts',
    ...forged({ results: [{ ...FAILED, actual: '2 kB' }] }),
    ...refused(/3\.json.*actual/),
  },
  { name: 'number zero', ...forged({ shard: { index: 0, count: 3 } }), ...refused(/3\.json.*shard/) },
  { name: 'half a number', ...forged({ shard: { index: 1.5, count: 3 } }), ...refused(/3\.json.*shard/) },
  { name: 'a number as text', ...forged({ shard: '1/3' }), ...refused(/3\.json.*shard/) },
  { name: 'endless shards', ...forged({ shard: { index: 1, count: 9e15 } }), ...refused(/number of shards/) },
  { name: 'without a shard', ...forged({ shard: undefined }), ...refused(/3\.json.*shard/) },
  {
    name: 'an outcome of its own',
    ...forged({ results: [{ outcome: 'fine' }] }),
    ...refused(/3\.json.*results/),
  },
  {
    name: 'one file of nobody',
    ...merge('1.json', '2.json', 'none.json'),
    ...refused(/none\.json: no such file/),
  },
  {
    name: 'a payload instead',
    ...merge('rows.json'),
    ...refused(/rows\.json: not a readable clone-prof\/check@1/),
  },
  {
    name: 'what no shard checks is said by the merge',
    ...merge('1.json', '2.json', '3.json'),
    files: { ...three.files, [BASELINE]: baselineOf({ gone: { runtimes: { 'bun@1.4.5': facts } } }) },
    ...broken,
    stdout: /gone on .*no longer checked/s,
  },
  {
    name: 'a payload renamed between two shards',
    ...merge('1.json', '2.json', '3.json'),
    files: { ...three.files, [BASELINE]: baselineOf({ people: { runtimes: { 'bun@1.4.5': facts } } }) },
    ...broken,
    stdout: /people on .*Renamed\? 'rows'.*rows on .*Renamed\? 'people'/s,
  },
  {
    name: 'two entries of one name in two shards',
    ...merge('1.json', '2.json'),
    files: { 'a/rows.json': ROWS, 'b/rows.json': ROWS, [CONFIG]: config(['a/rows.json', 'b/rows.json']) },
    before: ['1/2', '2/2'].map((part) => ['check', '--shard', part, '-f', `json=${part[0]}.json`]),
    ...refused(/both called 'rows'/),
  },
  ...['0/3', '4/3', '1/0', '-1/3', '1/3/3', 'a/b', '', '1.5/3'].map((part) => ({
    name: `--shard=${part}`,
    ...three,
    args: ['check', `--shard=${part}`],
    ...refused(/--shard/),
  })),
  ...[
    ['--merge', '1.json', '--shard', '1/3'],
    ['--accept', '--shard', '1/3'],
    ['--accept', '--merge', '1.json'],
    ['--init', '--accept'],
  ].map((args) => ({
    name: `${args.join(' ')}: one of them would be ignored`,
    ...merge(),
    args: ['check', ...args],
    ...refused(/cannot be combined with/),
  })),
]);
