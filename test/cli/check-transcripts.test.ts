import {
  broken,
  CONFIG,
  change,
  config,
  kept,
  NESTED,
  one,
  project,
  ROWS,
  regressed,
  scenario,
} from './check-scenarios.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

const EVENTS = '{"type":"order","id":1}\n{"type":"ping"}\n';
/** Bun would share longer names, and copy nothing of them. */
const BIG = JSON.stringify(Array.from({ length: 23 }, (_, id) => ({ id, name: 'x'.repeat(200) })));
const HOLEY = [1, 2, 3];
delete HOLEY[1];
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
