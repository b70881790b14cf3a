import { CHECK_FORMATS } from '../../src/model/gate/check.ts';
import type { CliScenario } from '../support/run-cli.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]';
const NESTED = '[\n  {"id":1,"name":"Ada"},\n  {"id":2,"name":"Alan","geo":{"lat":1}}\n]';
const HOSTILE =
  '[{"::error::x":{"</script><b>|`*":1}, "\\u001b[31m%0A\\n::warning::y":{"a,b:c":2}, "]]>\\ufffe":{"x":"&"}}]';

const config = (...payloads: unknown[]) => JSON.stringify({ runtimes: ['bun@1.4.5'], payloads });

function scenario(files: Record<string, string>, more: CliScenario = {}): CliScenario {
  return { files, runtimes: ['bun@1.4.5', 'node@24.0.0'], ...more };
}

const one = { id: 'rows', input: 'rows.json', limits: { class: 'in-memory', maxBytes: '64 kB' } };
const CONFIG = 'clone-prof.config.json';

const kept = scenario({ 'rows.json': ROWS, [CONFIG]: config(one) });
const broken = scenario({ 'rows.json': NESTED, [CONFIG]: config(one) });
const hostile = scenario({ 'rows.json': HOSTILE, [CONFIG]: config(one) });
const ALL_OFF = ['class', 'maxBytes', 'maxAmplification', 'lossy', 'rejected', 'transfer'];
const nothing = scenario({
  'rows.json': ROWS,
  [CONFIG]: config({ input: 'rows.json', limits: Object.fromEntries(ALL_OFF.map((name) => [name, 'off'])) }),
});
const regressed = scenario(
  { 'rows.json': ROWS, [CONFIG]: config('rows.json') },
  { before: [['baseline']], changed: { 'rows.json': NESTED } },
);
const timed = (now: number, jitter: number): CliScenario =>
  scenario(
    {
      'rows.json': ROWS,
      [CONFIG]: config({ input: 'rows.json', limits: { time: '+10%', class: 'off', maxBytes: 'off' } }),
    },
    {
      before: [['baseline', '--samples']],
      changed: { 'rows.json': NESTED },
      script: { times: { of: { now: { roundTrip: now }, before: { roundTrip: 100_000 } }, jitter } },
    },
  );

const perFormat = CHECK_FORMATS.flatMap((format): Transcript[] => [
  { name: `check-${format}`, args: `check -f ${format}`, scenario: regressed },
  { name: `check-${format}-empty`, args: `check -f ${format}`, scenario: nothing },
  { name: `check-${format}-hostile`, args: `check -f ${format}`, scenario: hostile },
]);

const EVENTS = '{"type":"order","id":1}\n{"type":"ping"}\n';
const BIG = JSON.stringify([
  { id: 1, name: 'Ada' },
  { id: 2, name: 'x'.repeat(5000) },
]);
const HOLEY = [1, 2, 3];
delete HOLEY[1];
/** One that stays, one that the pull request changes. */
const project = { 'rows.json': ROWS, 'user.json': '{"id":1}', [CONFIG]: config('user.json', 'rows.json') };
const change = (
  changed: Record<string, string>,
  { before = project, ...more }: { before?: Record<string, string> } & Omit<CliScenario, 'before'> = {},
): CliScenario => scenario(before, { before: [['baseline']], changed, ...more });

/** What a pull request changed since the baseline was written. */
const PULL_REQUESTS: Transcript[] = [
  { name: 'change-nested-field', args: 'check', scenario: change({ 'rows.json': NESTED }) },
  {
    name: 'change-hole',
    args: 'check',
    scenario: change(
      { 'list.mjs': 'export const list = [1, , 3];' },
      {
        before: { 'list.mjs': 'export const list = [1, 2, 3];', [CONFIG]: config('list.mjs') },
        script: { values: { 'list#list': (text: string) => (text.includes(', ,') ? HOLEY : [1, 2, 3]) } },
      },
    ),
  },
  { name: 'change-bigger', args: 'check', scenario: change({ 'rows.json': BIG }) },
  {
    name: 'change-renamed',
    args: 'check',
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('user.json', 'people.json') }),
  },
  { name: 'change-deleted', args: 'check', scenario: change({ [CONFIG]: config('user.json') }) },
  {
    name: 'change-added',
    args: 'check',
    scenario: change({ [CONFIG]: config('user.json', 'rows.json', 'new.json'), 'new.json': '7' }),
  },
];

/** What changes without anyone meaning the gate. */
const ACCIDENTS: Transcript[] = [
  {
    name: 'accident-line-added',
    args: 'check',
    scenario: change(
      {
        'events.ndjson': `{"type":"refund","id":1}\n${EVENTS}{"type":"order","id":2,"note":"${'x'.repeat(500)}"}\n`,
      },
      { before: { 'events.ndjson': EVENTS, [CONFIG]: config('events.ndjson') } },
    ),
  },
  {
    name: 'accident-file-added-to-a-glob',
    args: 'check',
    scenario: change(
      { 'a/data.json': BIG, 'b/data.json': '1' },
      { before: { 'a/data.json': ROWS, [CONFIG]: config('*/data.json') } },
    ),
  },
  {
    name: 'accident-shard-missing',
    args: 'check --merge 1.json 3.json',
    scenario: {
      ...kept,
      before: ['1/3', '3/3'].map((part) => ['check', '--shard', part, '-o', `${part[0]}.json`, '-f', 'json']),
    },
  },
];

testTranscripts([
  ...perFormat,
  ...CHECK_FORMATS.map((format) => ({
    name: `check-${format}-unmatched`,
    args: `check -f ${format}`,
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('people.json') }),
  })),
  {
    name: 'check-new-ok',
    args: 'check',
    scenario: change({
      'new.json': '7',
      [CONFIG]: JSON.stringify({
        runtimes: ['bun@1.4.5'],
        new: 'ok',
        payloads: ['user.json', 'rows.json', 'new.json'],
      }),
    }),
  },
  { name: 'check-selected', args: 'check rows', scenario: change({}) },
  { name: 'check-shard', args: 'check --shard 1/2', scenario: change({ [CONFIG]: config('user.json') }) },
  {
    name: 'check-accept-renamed',
    args: 'check --accept',
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('user.json', 'people.json') }),
  },
  ...PULL_REQUESTS,
  ...ACCIDENTS,
  { name: 'check-kept', args: 'check', scenario: kept },
  { name: 'check-broken', args: 'check', scenario: broken },
  {
    name: 'check-narrow-ascii',
    args: 'check',
    scenario: { ...broken, columns: 44, env: { TERM: 'linux' } },
  },
  {
    name: 'check-several-formats',
    args: 'check -f terminal github junit=out/junit.xml json=out/check.json',
    scenario: {
      ...broken,
      env: { GITHUB_STEP_SUMMARY: '<cwd>/summary.md' },
      shows: ['summary.md', 'out/junit.xml'],
    },
  },
  { name: 'check-two-documents', args: 'check -f json sarif', scenario: kept },
  { name: 'check-unknown-format', args: 'check -f xml', scenario: kept },
  { name: 'check-payload-after-formats', args: 'check -f terminal ./rows.json', scenario: broken },
  {
    name: 'check-accept',
    args: 'check --accept',
    scenario: { ...regressed, shows: ['clone-prof.baseline.json'] },
  },
  { name: 'check-accept-unchanged', args: 'check --accept', scenario: { ...kept, before: [['baseline']] } },
  { name: 'baseline', args: 'baseline', scenario: { ...kept, shows: ['clone-prof.baseline.json'] } },
  {
    name: 'baseline-of-a-missing-runtime',
    args: 'baseline',
    scenario: scenario({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['node', 'deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'baseline-bad',
    args: 'check',
    scenario: scenario({ ...kept.files, 'clone-prof.baseline.json': '{"schema":"x"}' }),
  },
  {
    name: 'baseline-over-a-bad-one',
    args: 'baseline',
    scenario: scenario({ ...kept.files, 'clone-prof.baseline.json': '<<<<<<< ours' }),
  },
  { name: 'check-time-slower', args: 'check', scenario: timed(200_000, 0.02) },
  { name: 'check-time-same', args: 'check', scenario: timed(100_000, 0.02) },
  { name: 'check-time-unsure', args: 'check -b 1s', scenario: timed(110_000, 0.2) },
  { name: 'check-total-spent', args: 'check --total 100ms', scenario: timed(100_000, 0.02) },
  { name: 'check-time-unchanged', args: 'check', scenario: { ...timed(200_000, 0.02), changed: {} } },
  {
    name: 'check-memory',
    args: 'check',
    scenario: scenario(
      {
        'rows.json': ROWS,
        [CONFIG]: config({ input: 'rows.json', limits: { memory: '+20%', class: 'off' } }),
      },
      { before: [['baseline', '--samples']], changed: { 'rows.json': NESTED } },
    ),
  },
  {
    name: 'check-time-without-samples',
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline']] },
  },
  {
    name: 'check-time-masked',
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline', '--samples', '--mask']] },
  },
  {
    name: 'baseline-samples',
    args: 'baseline --samples',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'baseline-masked',
    args: 'check --accept --samples --mask',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  { name: 'baseline-mask-alone', args: 'baseline --mask', scenario: kept },
  { name: 'check-samples-alone', args: 'check --samples', scenario: kept },
  {
    name: 'check-time-without-baseline',
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [] },
  },
  {
    name: 'check-runtime-missing',
    args: 'check',
    scenario: scenario({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'check-payload-missing',
    args: 'check',
    scenario: scenario({ 'rows.json': ROWS, [CONFIG]: config('rows.json', 'absent.json') }),
  },
  { name: 'check-nothing-here', args: 'check', scenario: scenario({}) },
  { name: 'check-no-payloads', args: 'check', scenario: scenario({ [CONFIG]: '{}' }) },
  {
    name: 'check-bad-config',
    args: 'check',
    scenario: scenario({ [CONFIG]: '{"payloads":["a.json"],"limits":{"maxBytes":64}}' }),
  },
  { name: 'check-without-config', args: 'check rows.json', scenario: scenario({ 'rows.json': ROWS }) },
  {
    name: 'check-one-of-several',
    args: 'check rows',
    scenario: scenario({ ...kept.files, 'b.json': '1', [CONFIG]: config('b.json', one) }),
  },
  {
    name: 'check-two-of-one-name',
    args: 'check',
    scenario: scenario({
      'a/rows.json': ROWS,
      'b/rows.json': ROWS,
      [CONFIG]: config('a/rows.json', 'b/rows.json'),
    }),
  },
  {
    name: 'check-exports',
    args: 'check',
    scenario: scenario(
      {
        'm.mjs': 'export const rows = [];\nexport const tree = {};\n',
        [CONFIG]: config({ id: 'm', input: 'm.mjs', limits: { class: 'in-memory' } }),
      },
      { script: { values: { 'm#rows': [{ a: 1 }], 'm#tree': { b: { c: 1 } } } } },
    ),
  },
  { name: 'check-shard-bad', args: 'check --shard 5/4', scenario: kept },
  { name: 'check-merge-no-report', args: 'check --merge rows.json', scenario: kept },
  { name: 'help-check', args: 'check --help', scenario: {} },
  { name: 'help-baseline', args: 'baseline --help', scenario: {} },
]);
