import type { Stage } from './stage.ts';
import { type Transcript, tellTranscripts } from './transcript.ts';

const ROWS = '[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]';
const NESTED = '[\n  {"id":1,"name":"Ada"},\n  {"id":2,"name":"Alan","geo":{"lat":1}}\n]';
const HOSTILE =
  '[{"::error::x":{"</script><b>|`*":1}, "\\u001b[31m%0A\\n::warning::y":{"a,b:c":2}, "]]>\\ufffe":{"x":"&"}}]';

const config = (...payloads: unknown[]) => JSON.stringify({ runtimes: ['bun@1.4.5'], payloads });

function stage(files: Record<string, string>, more: Stage = {}): Stage {
  return { files, runtimes: ['bun@1.4.5', 'node@24.0.0'], ...more };
}

const one = { id: 'rows', input: 'rows.json', limits: { class: 'in-memory', maxBytes: '64 kB' } };
const CONFIG = 'clone-prof.config.json';

const kept = stage({ 'rows.json': ROWS, [CONFIG]: config(one) });
const broken = stage({ 'rows.json': NESTED, [CONFIG]: config(one) });
const hostile = stage({ 'rows.json': HOSTILE, [CONFIG]: config(one) });
const ALL_OFF = ['class', 'maxBytes', 'maxAmplification', 'lossy', 'rejected', 'transfer'];
const nothing = stage({
  'rows.json': ROWS,
  [CONFIG]: config({ input: 'rows.json', limits: Object.fromEntries(ALL_OFF.map((name) => [name, 'off'])) }),
});
const regressed = stage(
  { 'rows.json': ROWS, [CONFIG]: config('rows.json') },
  { before: [['baseline']], changed: { 'rows.json': NESTED } },
);
const timed = (now: number, jitter: number): Stage =>
  stage(
    {
      'rows.json': ROWS,
      [CONFIG]: config({ input: 'rows.json', limits: { time: '+10%', class: 'off', maxBytes: 'off' } }),
    },
    {
      before: [['baseline']],
      changed: { 'rows.json': NESTED },
      script: { times: { of: { now: { roundTrip: now }, before: { roundTrip: 100_000 } }, jitter } },
    },
  );

const FORMATS = ['terminal', 'json', 'markdown', 'github', 'junit', 'sarif'];

const perFormat = FORMATS.flatMap((format): Transcript[] => [
  { name: `check-${format}`, args: `check -f ${format}`, stage: regressed },
  { name: `check-${format}-empty`, args: `check -f ${format}`, stage: nothing },
  { name: `check-${format}-hostile`, args: `check -f ${format}`, stage: hostile },
]);

tellTranscripts([
  ...perFormat,
  { name: 'check-kept', args: 'check', stage: kept },
  { name: 'check-broken', args: 'check', stage: broken },
  {
    name: 'check-narrow-ascii',
    args: 'check',
    stage: { ...broken, columns: 44, env: { TERM: 'linux' } },
  },
  {
    name: 'check-several-formats',
    args: 'check -f terminal github junit=out/junit.xml json=out/check.json',
    stage: {
      ...broken,
      env: { GITHUB_STEP_SUMMARY: '<cwd>/summary.md' },
      shows: ['summary.md', 'out/junit.xml'],
    },
  },
  { name: 'check-two-documents', args: 'check -f json sarif', stage: kept },
  { name: 'check-unknown-format', args: 'check -f xml', stage: kept },
  { name: 'check-payload-after-formats', args: 'check -f terminal ./rows.json', stage: broken },
  {
    name: 'check-accept',
    args: 'check --accept',
    stage: { ...regressed, shows: ['clone-prof.baseline.json'] },
  },
  { name: 'check-accept-unchanged', args: 'check --accept', stage: { ...kept, before: [['baseline']] } },
  { name: 'baseline', args: 'baseline', stage: { ...kept, shows: ['clone-prof.baseline.json'] } },
  {
    name: 'baseline-of-a-missing-runtime',
    args: 'baseline',
    stage: stage({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['node', 'deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'baseline-bad',
    args: 'check',
    stage: stage({ ...kept.files, 'clone-prof.baseline.json': '{"schema":"x"}' }),
  },
  {
    name: 'baseline-over-a-bad-one',
    args: 'baseline',
    stage: stage({ ...kept.files, 'clone-prof.baseline.json': '<<<<<<< ours' }),
  },
  { name: 'check-time-slower', args: 'check', stage: timed(200_000, 0.02) },
  { name: 'check-time-same', args: 'check', stage: timed(100_000, 0.02) },
  { name: 'check-time-unsure', args: 'check -b 1s', stage: timed(110_000, 0.2) },
  { name: 'check-time-unchanged', args: 'check', stage: { ...timed(200_000, 0.02), changed: {} } },
  {
    name: 'check-memory',
    args: 'check',
    stage: stage(
      {
        'rows.json': ROWS,
        [CONFIG]: config({ input: 'rows.json', limits: { memory: '+20%', class: 'off' } }),
      },
      { before: [['baseline']], changed: { 'rows.json': NESTED } },
    ),
  },
  {
    name: 'check-time-without-baseline',
    args: 'check',
    stage: { ...timed(200_000, 0.02), before: [] },
  },
  {
    name: 'check-runtime-missing',
    args: 'check',
    stage: stage({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'check-payload-missing',
    args: 'check',
    stage: stage({ 'rows.json': ROWS, [CONFIG]: config('rows.json', 'absent.json') }),
  },
  { name: 'check-nothing-here', args: 'check', stage: stage({}) },
  { name: 'check-no-payloads', args: 'check', stage: stage({ [CONFIG]: '{}' }) },
  {
    name: 'check-bad-config',
    args: 'check',
    stage: stage({ [CONFIG]: '{"payloads":["a.json"],"limits":{"maxBytes":64}}' }),
  },
  { name: 'check-without-config', args: 'check rows.json', stage: stage({ 'rows.json': ROWS }) },
  {
    name: 'check-one-of-several',
    args: 'check rows',
    stage: stage({ ...kept.files, 'b.json': '1', [CONFIG]: config('b.json', one) }),
  },
  {
    name: 'check-two-of-one-name',
    args: 'check',
    stage: stage({
      'a/rows.json': ROWS,
      'b/rows.json': ROWS,
      [CONFIG]: config('a/rows.json', 'b/rows.json'),
    }),
  },
  {
    name: 'check-exports',
    args: 'check',
    stage: stage(
      {
        'm.mjs': 'export const rows = [];\nexport const tree = {};\n',
        [CONFIG]: config({ id: 'm', input: 'm.mjs', limits: { class: 'in-memory' } }),
      },
      { script: { values: { 'm#rows': [{ a: 1 }], 'm#tree': { b: { c: 1 } } } } },
    ),
  },
  { name: 'check-shard-bad', args: 'check --shard 5/4', stage: kept },
  { name: 'check-merge-no-report', args: 'check --merge rows.json', stage: kept },
  {
    name: 'check-init',
    args: 'check --init',
    stage: stage(
      { 'rows.json': ROWS, 'package.json': '{}', 'tsconfig.json': '{}', 'fixtures/chat.ndjson': '1\n' },
      { shows: ['clone-prof.config.mjs', '.github/workflows/clone-prof.yml'] },
    ),
  },
  {
    name: 'check-init-keeps',
    args: 'check --init',
    stage: stage(
      { [CONFIG]: '{}', '.github/workflows/clone-prof.yml': 'mine' },
      { shows: [CONFIG, '.github/workflows/clone-prof.yml'] },
    ),
  },
  { name: 'help-check', args: 'check --help', stage: {} },
  { name: 'help-baseline', args: 'baseline --help', stage: {} },
]);
