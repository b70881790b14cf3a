import { CHECK_FORMATS, type CheckFormat } from '../../src/model/gate/limits.ts';
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
const timed = (now: number, jitter: number, more: object = {}): CliScenario =>
  scenario(
    {
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({
        ...(JSON.parse(
          config({
            input: 'rows.json',
            limits: { time: '+10%', class: 'off', maxBytes: 'off', maxNodes: 'off' },
          }),
        ) as object),
        ...more,
      }),
    },
    {
      before: [['baseline', '--samples']],
      changed: { 'rows.json': NESTED },
      script: { times: { of: { now: { roundTrip: now }, before: { roundTrip: 100_000 } }, jitter } },
    },
  );

const NO_LIMIT = 'Nothing was checked: no limit applies.';
const EMPTY: Record<CheckFormat, string[]> = {
  ...{
    terminal: [NO_LIMIT],
    github: [`clone-prof: ${NO_LIMIT}`],
    markdown: ['### ✅ clone-prof check', NO_LIMIT],
  },
  junit: ['<testsuites name="clone-prof" tests="0" failures="0" errors="0" skipped="0"> </testsuites>'],
  ...{ json: ['"passed": true', '"results": []'], sarif: ['"version": "2.1.0"', '"results": []'] },
  benchmark: ['"name": "rows · bun@1 · bytes"'],
};
const PEOPLE = "not in the baseline. Renamed? 'rows' has equal facts";
const GONE = "in the baseline, and no longer checked. Renamed? 'people' has equal facts";
const RENAMED: Record<CheckFormat, string[]> = {
  terminal: [`error: baseline: ${PEOPLE}`, `error: baseline: ${GONE}`],
  github: [
    `::baseline: ${PEOPLE}.`,
    `::error file=clone-prof.baseline.json,title=clone-prof%3A rows on bun@1.4.5::baseline: ${GONE}.`,
  ],
  json: ['"payload": "people"', '"outcome": "unmatched"', '"payload": "rows"', '"outcome": "unmatched"'],
  junit: [
    '&#39;rows&#39; has equal facts" type="failure">',
    '<testcase classname="rows on bun@1.4.5" name="baseline" file="clone-prof.baseline.json"><failure',
  ],
  markdown: [
    '| ❌ people on bun',
    '| baseline | not in the baseline.',
    '| ❌ rows on bun',
    '| baseline | in the baseline,',
  ],
  sarif: [`people on bun@1.4.5: baseline: ${PEOPLE}.`, `rows on bun@1.4.5: baseline: ${GONE}.`],
  benchmark: [
    '{ "name": "people · bun@1 · bytes", "unit": "B", "value": 46, "extra": "in-memory, dense-array" }',
  ],
};

/** What programs read is checked against its schema in reporters/check; a person reads the others. */
const BROKEN: Partial<Record<CheckFormat, string[]>> = {
  json: [
    ...['"passed": false', '"limit": "class"', '"outcome": "failed"', '"written": "as in the baseline"'],
    ...['"rule": "jsc/element-nested-value"', '"file": "rows.json"', '"line": 3'],
    ...['"limit": "maxBytes"', '"expected": 50', '"actual": 62', '"was": 46', '"limit": "maxNodes"'],
  ],
  sarif: [
    ...['"id": "class"', '"id": "config"', '"executionSuccessful": true', '"ruleId": "class"'],
    'rows on bun@1.4.5: class: in-memory -> serialized, limit as in the baseline at $[1].geo',
    ...['"uri": "rows.json"', '"startLine": 3', '"fullyQualifiedName": "$[1].geo"'],
    String.raw`"limit/v1": "rows\\nbun@1.4.5\\nworker\\nclass\\n$[1].geo\\njsc/element-nested-value"`,
    ...['"ruleId": "maxBytes"', '"ruleId": "maxNodes"'],
  ],
  benchmark: ['"name": "rows · bun@1 · bytes", "unit": "B", "value": 62, "extra": "serialized, '],
};
/** Its strings are those of JSON, but for what a CI reads in a log. */
const HOSTILE_KEYS: Partial<Record<CheckFormat, string[]>> = {
  json: ['"path": "$[0][\\":\\u003aerror:\\u003ax\\"]"'],
  sarif: [
    String.raw`limit in-memory at $[0][\":\\u003aerror:\\u003ax\"]: object inside a row`,
    '"startLine": 1',
  ],
  benchmark: ['"name": "rows · bun@1 · bytes"'],
};
const said = (says: string[] | undefined) => says && { code: 1, says };

const perFormat = CHECK_FORMATS.flatMap((format): Transcript[] => [
  { name: `check-${format}`, args: `check -f ${format}`, scenario: regressed, ...said(BROKEN[format]) },
  { name: `check-${format}-empty`, args: `check -f ${format}`, says: EMPTY[format], scenario: nothing },
  {
    name: `check-${format}-hostile`,
    args: `check -f ${format}`,
    scenario: hostile,
    ...said(HOSTILE_KEYS[format]),
  },
]);

const EVENTS = '{"type":"order","id":1}\n{"type":"ping"}\n';
/** Bun would share longer names, and copy nothing of them. */
const BIG = JSON.stringify(Array.from({ length: 23 }, (_, id) => ({ id, name: 'x'.repeat(200) })));
const HOLEY = [1, 2, 3];
delete HOLEY[1];
/** One that stays, one that the pull request changes. */
const project = { 'rows.json': ROWS, 'user.json': '{"id":1}', [CONFIG]: config('user.json', 'rows.json') };
const change = (
  changed: Record<string, string>,
  { before = project, ...more }: { before?: Record<string, string> } & Omit<CliScenario, 'before'> = {},
): CliScenario => scenario(before, { before: [['baseline']], changed, ...more });

const newIsOk = (...payloads: string[]) => JSON.stringify({ runtimes: ['bun@1.4.5'], new: 'ok', payloads });

/** What a pull request changed since the baseline was written. */
const PULL_REQUESTS: Transcript[] = [
  {
    name: 'change-nested-field',
    code: 1,
    says: [
      '3 of 14 limits broken.',
      'clone-prof: rows on bun@1.4.5: class in-memory -> serialized, limit as in the baseline at $[1].geo',
      'clone-prof: rows on bun@1.4.5: maxBytes 46 B -> 62 B, +35 %, limit +10% (50 B) at $[*].geo',
    ],
    args: 'check',
    scenario: change({ 'rows.json': NESTED }),
  },
  {
    name: 'change-hole',
    code: 1,
    says: [
      '2 of 7 limits broken.',
      'clone-prof: list#list on bun@1.4.5: class bulk -> serialized, limit as in the baseline at $',
      'clone-prof: list#list on bun@1.4.5: maxBytes 7 B -> 10 B, +43 %, limit +10% (7 B) at $[*]',
    ],
    args: 'check',
    scenario: change(
      { 'list.mjs': 'export const list = [1, , 3];' },
      {
        before: { 'list.mjs': 'export const list = [1, 2, 3];', [CONFIG]: config('list.mjs') },
        script: { values: { 'list#list': (text: string) => (text.includes(', ,') ? HOLEY : [1, 2, 3]) } },
      },
    ),
  },
  {
    name: 'change-bigger',
    code: 1,
    says: [
      '2 of 14 limits broken.',
      'clone-prof: rows on bun@1.4.5: maxBytes 46 B -> 5.05 kB, +10,880 %, limit +10% (50 B) at $[*].name',
    ],
    args: 'check',
    scenario: change({ 'rows.json': BIG }),
  },
  {
    name: 'change-renamed',
    args: 'check',
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('user.json', 'people.json') }),
  },
  {
    name: 'change-deleted',
    code: 1,
    says: [
      '1 difference between baseline and payloads.',
      'clone-prof: rows on bun@1.4.5: in the baseline, and no longer checked',
    ],
    args: 'check',
    scenario: change({ [CONFIG]: config('user.json') }),
  },
  {
    name: 'change-added',
    code: 1,
    says: [
      '1 difference between baseline and payloads.',
      'clone-prof: new on bun@1.4.5: not in the baseline',
    ],
    args: 'check',
    scenario: change({ [CONFIG]: config('user.json', 'rows.json', 'new.json'), 'new.json': '7' }),
  },
];

/** What changes without anyone meaning the gate. */
const ACCIDENTS: Transcript[] = [
  {
    name: 'accident-line-added',
    code: 1,
    says: [
      '2 differences between baseline and payloads.',
      'clone-prof: events#order~1ry4ezz on bun@1.4.5: not in the baseline',
      'clone-prof: events#refund on bun@1.4.5: not in the baseline',
    ],
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
    code: 1,
    says: [
      '2 of 11 limits broken, 1 difference between baseline and payloads.',
      'clone-prof: a/data on bun@1.4.5: maxBytes 46 B -> 5.05 kB, +10,880 %, limit +10% (50 B) at $[*].name',
      'clone-prof: b/data on bun@1.4.5: not in the baseline',
    ],
    args: 'check',
    scenario: change(
      { 'a/data.json': BIG, 'b/data.json': '1' },
      { before: { 'a/data.json': ROWS, [CONFIG]: config('*/data.json') } },
    ),
  },
  {
    name: 'accident-shard-missing',
    code: 2,
    says: [
      'clone-prof: cannot be merged: shard 2 of 3 is missing. Name the report of each shard of one check exactly once',
    ],
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
    ...{ args: `check -f ${format}`, code: 1, says: RENAMED[format] },
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('people.json') }),
  })),
  {
    name: 'check-new-ok',
    says: ['warning: baseline: not in the baseline', '18 limits kept, 1 warning.'],
    args: 'check',
    scenario: change(
      { 'new.json': '7', [CONFIG]: newIsOk('user.json', 'rows.json', 'new.json') },
      { before: { ...project, [CONFIG]: newIsOk('user.json', 'rows.json') } },
    ),
  },
  {
    name: 'check-selected',
    says: ['● rows on bun@1.4.5 · 7 kept 7 limits kept. Not asked for: 1 payload of the baseline.'],
    args: 'check rows',
    scenario: change({}),
  },
  {
    name: 'check-shard',
    says: ['● user on bun@1.4.5 · 7 kept Shard 1 of 2: 7 limits kept.'],
    args: 'check --shard 1/2',
    scenario: change({ [CONFIG]: config('user.json') }),
  },
  {
    name: 'check-accept-renamed',
    says: ['clone-prof.baseline.json: + people - rows'],
    args: 'check --accept',
    scenario: change({ 'people.json': ROWS, [CONFIG]: config('user.json', 'people.json') }),
  },
  ...PULL_REQUESTS,
  ...ACCIDENTS,
  {
    name: 'check-kept',
    says: ['● rows on bun@1.4.5 · 6 kept 6 limits kept.'],
    args: 'check',
    scenario: kept,
  },
  {
    name: 'check-broken',
    code: 1,
    says: [
      '1 of 6 limits broken.',
      'clone-prof: rows on bun@1.4.5: class serialized, limit in-memory at $[1].geo',
    ],
    args: 'check',
    scenario: broken,
  },
  {
    name: 'check-narrow-ascii',
    code: 1,
    says: [
      '1 of 6 limits broken.',
      'clone-prof: rows on bun@1.4.5: class serialized, limit in-memory at $[1].geo',
    ],
    args: 'check',
    scenario: { ...broken, columns: 44, env: { TERM: 'linux' } },
  },
  {
    name: 'check-several-formats',
    code: 1,
    says: [
      '✖ rows on bun@1.4.5 · 5 kept error: class: serialized, limit in-memory $[1].geo',
      '::error file=rows.json,line=3,title=clone-prof%3A rows on bun@1.4.5::class: serialized',
      'wrote out/junit.xml wrote out/check.json',
      'summary.md: ``` ### ❌ clone-prof check',
      'out/junit.xml: ``` <?xml version="1.0" encoding="UTF-8"?> <testsuites name="clone-prof" tests="6" failures="1"',
    ],
    args: 'check -f terminal github junit=out/junit.xml json=out/check.json',
    scenario: {
      ...broken,
      env: { GITHUB_STEP_SUMMARY: '<cwd>/summary.md' },
      shows: ['summary.md', 'out/junit.xml'],
    },
  },
  {
    name: 'check-two-documents',
    code: 2,
    says: ['clone-prof: --format: json cannot share stdout with another format. Give it a file: json=FILE'],
    args: 'check -f json sarif',
    scenario: kept,
  },
  {
    name: 'check-unknown-format',
    code: 2,
    says: [
      "clone-prof: --format: 'xml' is unknown. Known: terminal, json, markdown, github, junit, sarif, benchmark; each may have a file: json=report.json",
    ],
    args: 'check -f xml',
    scenario: kept,
  },
  {
    name: 'check-payload-after-formats',
    code: 1,
    says: [
      '1 of 6 limits broken.',
      'clone-prof: rows on bun@1.4.5: class serialized, limit in-memory at $[1].geo',
    ],
    args: 'check -f terminal ./rows.json',
    scenario: broken,
  },
  {
    name: 'check-accept',
    args: 'check --accept',
    scenario: { ...regressed, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'check-accept-unchanged',
    says: ['clone-prof.baseline.json: nothing changed.'],
    args: 'check --accept',
    scenario: { ...kept, before: [['baseline']] },
  },
  { name: 'baseline', args: 'baseline', scenario: { ...kept, shows: ['clone-prof.baseline.json'] } },
  {
    name: 'baseline-of-a-missing-runtime',
    code: 3,
    says: [
      'clone-prof.baseline.json: + rows',
      "clone-prof: rows: on deno: runtime 'deno' was not found (fake)",
    ],
    args: 'baseline',
    scenario: scenario({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['node', 'deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'baseline-bad',
    code: 2,
    says: [
      'clone-prof: clone-prof.baseline.json: not a readable clone-prof/baseline@1: "schema" is "x". Write it anew: clone-prof baseline',
    ],
    args: 'check',
    scenario: scenario({ ...kept.files, 'clone-prof.baseline.json': '{"schema":"x"}' }),
  },
  {
    name: 'baseline-over-a-bad-one',
    says: [
      'clone-prof.baseline.json: + rows',
      `warning: clone-prof.baseline.json: not a readable clone-prof/baseline@1: not valid JSON (Unexpected token '<', "<<<<<<< ours" is not valid JSON). Write it anew: clone-prof baseline`,
    ],
    args: 'baseline --no-measure',
    scenario: scenario({ ...kept.files, 'clone-prof.baseline.json': '<<<<<<< ours' }),
  },
  {
    name: 'check-time-slower',
    code: 1,
    says: [
      '1 of 5 limits broken.',
      'clone-prof: rows on bun@1.4.5: time +100 % (95 %: +90 % to +111 %), limit +10% at $[1].geo',
    ],
    args: 'check',
    scenario: timed(200_000, 0.02),
  },
  {
    name: 'check-time-same',
    says: ['● rows on bun@1.4.5 · 5 kept 5 limits kept.'],
    args: 'check',
    scenario: timed(100_000, 0.02),
  },
  {
    name: 'check-time-unsure',
    code: 3,
    says: [
      'error: time: unsure: +10 % (95 %: +7 % to +13 %), limit +10%; the limit is within the interval: in this time growth from 3 % on can be detected; a longer --budget narrows it',
      '1 limit undecided.',
    ],
    args: 'check -b 1s',
    scenario: timed(110_000, 0.2),
  },
  {
    name: 'check-time-unsure-allowed',
    says: ['warning: time: unsure: +10 % (95 %: +7 % to +13 %), limit +10%', '4 limits kept, 1 warning.'],
    args: 'check -b 1s',
    scenario: timed(110_000, 0.2, { undecided: 'warn' }),
  },
  {
    name: 'check-total-spent',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: the time of --total is used up',
    ],
    args: 'check --total 100ms',
    scenario: timed(100_000, 0.02),
  },
  {
    name: 'check-time-unchanged',
    says: ['● rows on bun@1.4.5 · 5 kept 5 limits kept.'],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), changed: {} },
  },
  {
    name: 'check-memory',
    code: 1,
    says: [
      '1 of 6 limits broken.',
      'clone-prof: rows on bun@1.4.5: maxBytes 46 B -> 62 B, +35 %, limit +10% (50 B) at $[*].geo',
    ],
    args: 'check',
    scenario: scenario(
      {
        'rows.json': ROWS,
        [CONFIG]: config({ input: 'rows.json', limits: { memory: '+20%', class: 'off', maxNodes: 'off' } }),
      },
      { before: [['baseline', '--samples']], changed: { 'rows.json': NESTED } },
    ),
  },
  {
    name: 'check-time-without-samples',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: it needs a copy of the payload in the baseline to measure against. Keep one: clone-prof baseline --samples',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline']] },
  },
  {
    name: 'check-time-masked',
    code: 1,
    says: [
      '1 of 5 limits broken.',
      'clone-prof: rows on bun@1.4.5: time +100 % (95 %: +90 % to +111 %), limit +10% at $[1].geo',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [['baseline', '--samples', '--mask']] },
  },
  {
    name: 'baseline-samples',
    says: [
      'warning: clone-prof.baseline.json holds copies of payloads. Commit it only where all their values may be public; --mask hides texts ``` clone-prof.',
      '"sample": {"json":[{"id":1,"name":"Ada"},{"id":2,"name":"Alan"}]} }',
    ],
    args: 'baseline --samples',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'baseline-masked',
    says: [
      'warning: clone-prof.baseline.json holds numbers and keys of the payloads; texts are masked.',
      '"sample": {"json":[{"id":1,"name":"xxx"},{"id":2,"name":"xxxx"}],"masked":true}',
    ],
    args: 'check --accept --samples --mask',
    scenario: { ...kept, shows: ['clone-prof.baseline.json'] },
  },
  {
    name: 'baseline-mask-alone',
    code: 2,
    says: ['clone-prof: --mask hides the texts of --samples. Give both'],
    args: 'baseline --mask',
    scenario: kept,
  },
  {
    name: 'check-samples-alone',
    code: 2,
    says: ['clone-prof: --samples is for check --accept, which writes the baseline'],
    args: 'check --samples',
    scenario: kept,
  },
  {
    name: 'check-time-without-baseline',
    code: 3,
    says: [
      '1 limit not measured.',
      'clone-prof: rows on bun@1.4.5: time not measured: rows is not in the baseline: run clone-prof baseline and commit the file',
    ],
    args: 'check',
    scenario: { ...timed(200_000, 0.02), before: [] },
  },
  {
    name: 'check-runtime-missing',
    code: 3,
    says: [
      "warning: lossy, transfer: not measured: runtime 'deno' was not found (fake)",
      '5 limits not measured, 2 warnings.',
      "clone-prof: rows on deno: class, maxBytes, maxNodes, maxAmplification, rejected not measured: runtime 'deno' was not found (fake)",
    ],
    args: 'check',
    scenario: scenario({
      'rows.json': ROWS,
      [CONFIG]: JSON.stringify({ runtimes: ['deno'], payloads: ['rows.json'] }),
    }),
  },
  {
    name: 'check-payload-missing',
    code: 2,
    says: [
      'warning: class, maxBytes: rows is not in the baseline: run clone-prof baseline and commit the file',
      'clone-prof: absent.json: no such file. Check the path; globs must match at least one file',
    ],
    args: 'check',
    scenario: scenario({ 'rows.json': ROWS, [CONFIG]: config('rows.json', 'absent.json') }),
  },
  {
    name: 'check-nothing-here',
    code: 2,
    says: ['clone-prof: no config here, and no payload named. Write one: clone-prof check --init'],
    args: 'check',
    scenario: scenario({}),
  },
  {
    name: 'check-no-payloads',
    code: 2,
    says: [
      'clone-prof: clone-prof.config.json names no payloads. Add one: "payloads": ["fixtures/rows.json"]',
    ],
    args: 'check',
    scenario: scenario({ [CONFIG]: '{}' }),
  },
  {
    name: 'check-bad-config',
    code: 2,
    says: [
      'clone-prof: clone-prof.config.json: limits.maxBytes: expected a size with its unit (B, kB, MB, GB, KiB, MiB, GiB) or a growth over the baseline ("+10%"), for example "64 kB" or ["warn", "64 kB"], or "off"; got 64',
    ],
    args: 'check',
    scenario: scenario({ [CONFIG]: '{"payloads":["a.json"],"limits":{"maxBytes":64}}' }),
  },
  {
    name: 'check-without-config',
    says: [
      'warning: class, maxBytes: rows is not in the baseline: run clone-prof baseline and commit the file',
      '4 limits kept, 2 warnings.',
    ],
    args: 'check rows.json',
    scenario: scenario({ 'rows.json': ROWS }),
  },
  {
    name: 'check-one-of-several',
    says: ['● rows on bun@1.4.5 · 6 kept 6 limits kept.'],
    args: 'check rows',
    scenario: scenario({ ...kept.files, 'b.json': '1', [CONFIG]: config('b.json', one) }),
  },
  {
    name: 'check-two-of-one-name',
    code: 2,
    says: [
      `clone-prof: 'a/rows.json' and 'b/rows.json' are both called 'rows'. Give each payload an "id" of its own`,
    ],
    args: 'check',
    scenario: scenario({
      'a/rows.json': ROWS,
      'b/rows.json': ROWS,
      [CONFIG]: config('a/rows.json', 'b/rows.json'),
    }),
  },
  {
    name: 'check-exports',
    code: 1,
    says: [
      'warning: maxBytes: m#rows is not in the baseline: run clone-prof baseline and commit the file',
      'warning: maxBytes: m#tree is not in the baseline: run clone-prof baseline and commit the file',
      '1 of 12 limits broken, 2 warnings.',
      'clone-prof: m#tree on bun@1.4.5: class serialized, limit in-memory at $.b',
    ],
    args: 'check',
    scenario: scenario(
      {
        'm.mjs': 'export const rows = [];\nexport const tree = {};\n',
        [CONFIG]: config({ id: 'm', input: 'm.mjs', limits: { class: 'in-memory' } }),
      },
      { script: { values: { 'm#rows': [{ a: 1 }], 'm#tree': { b: { c: 1 } } } } },
    ),
  },
  {
    name: 'check-shard-bad',
    code: 2,
    says: ["clone-prof: --shard: '5/4' is not a valid shard. Write it like 1/4"],
    args: 'check --shard 5/4',
    scenario: kept,
  },
  {
    name: 'check-merge-no-report',
    code: 2,
    says: [
      'clone-prof: rows.json: not a readable clone-prof/check@1: "schema" is missing. Write one with clone-prof check -f json',
    ],
    args: 'check --merge rows.json',
    scenario: kept,
  },
  { name: 'help-check', args: 'check --help', scenario: {} },
  {
    name: 'help-baseline',
    says: ['Usage: clone-prof baseline [options] [payload...]'],
    args: 'baseline --help',
    scenario: {},
  },
]);
