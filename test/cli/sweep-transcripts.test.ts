import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import { ToolError } from '../../src/model/errors.ts';
import type { GuestRequest } from '../../src/model/wire/wire.ts';
import { runCli } from '../support/run-cli.ts';
import type { FakeTimes } from '../support/scripted-samples.ts';
import { type Transcript, testTranscripts } from './transcript.ts';

type MeasureAsk = Extract<GuestRequest, { type: 'measure' }>;

const sizeIn = ({ recipe }: MeasureAsk): number =>
  recipe.scale?.size ?? (recipe.build.form === 'specimen' ? (recipe.build.size ?? 0) : 0);

const trip = (roundTrip: number) => ({ roundTrip: Math.round(roundTrip) });

/** A text costs more to begin with and less for each item: they meet at 30 items. */
const meetAt30 = (ask: MeasureAsk): FakeTimes => {
  const size = sizeIn(ask);
  return {
    of: {
      original: trip(10_000 + 1000 * size),
      'json-text': trip(25_000 + 500 * size),
      'partial-text': trip(30_000 + 500 * size),
      'bytes-transferred': trip(50_000 + 1000 * size),
    },
    jitter: 0.02,
  };
};

const rows = JSON.stringify(Array.from({ length: 10 }, (_, id) => ({ id, tags: ['a', 'b'] })));
const sweepable = { files: { 'rows.json': rows }, script: { times: meetAt30 } };

const TRANSCRIPTS: Transcript[] = [
  { name: 'sweep', args: 'sweep rows.json --scale 1..1k --steps 4', scenario: sweepable },
  {
    name: 'sweep-narrow',
    says: [
      'Below 40 items raw is cheaper (95 %: 38–43).',
      'round trip by items, both axes logarithmic',
      'items raw json-text partial-text 1 11.0 µs 25.5 µs - 30.5 µs -',
    ],
    args: 'sweep rows.json --steps 3',
    scenario: { ...sweepable, columns: 44 },
  },
  {
    name: 'sweep-ascii',
    says: [
      'Fastest: raw from 1 to 18; undecided from 32 to 43; partial-text at 57; json-text or partial-text at 100.',
    ],
    args: 'sweep rows.json --steps 3',
    scenario: { ...sweepable, env: { TERM: 'linux' } },
  },
  {
    name: 'sweep-json',
    says: [
      '"strategy": "compiled", "unit": "items", "faster": [ 100 ], "slower": [ 10, 32, 57 ], "even": [], "undecided": []',
    ],
    args: 'sweep rows.json --scale 10..100 --steps 2 -r bun -f json',
    scenario: { ...sweepable, runtimes: ['bun@1.4.5'] },
  },
  {
    name: 'sweep-by-keys',
    says: [
      'the 2 keys of $, scaled from 2 to 20',
      '· worker Fastest: raw at every size.',
      '· message-port Fastest: raw at every size.',
      'round trip by keys, both axes logarithmic',
      '2 12.0 µs 26.0 µs - 31.0 µs - 51.9 µs - 100 µs -',
      'Time that blocks the sender · a · node@24.0.0 · message-port',
    ],
    args: 'sweep a.json --by keys --scale 2..20 --steps 2 -c worker message-port',
    scenario: {
      files: { 'a.json': '{"a":1,"b":"a string that is the largest"}' },
      script: { times: meetAt30 },
    },
  },
  {
    name: 'sweep-left-out',
    says: [
      'Left out on node@24.0.0: json-text ($[0].at: Date became string) Left out on node@24.0.0: bytes-transferred (no text encoder there)',
    ],
    args: 'sweep rows.json --scale 10..100 --steps 2',
    scenario: {
      ...sweepable,
      script: {
        times: meetAt30,
        proofs: {
          'json-text': { equality: 'lossy', losses: [{ path: '$[0].at', what: 'Date became string' }] },
          'bytes-transferred': { equality: 'refused', reason: 'no text encoder there' },
        },
      },
    },
  },
  {
    name: 'sweep-published',
    says: [
      'published: bun.com/blog/how-we-made-postMessage-string-500x-faster',
      '3,670,016 chars bun@1.2.20 326 µs 368 µs 3.68 ms 10.0 kB',
    ],
    args: 'sweep --preset bun-strings',
    scenario: {
      runtimes: ['bun@1.2.20', 'bun@1.2.21', 'node@24.0.0'],
      script: {
        times: (ask) => ({
          of: { original: { roundTrip: 10_000 + sizeIn(ask), send: 500 + sizeIn(ask) / 10 } },
        }),
      },
    },
  },
  {
    name: 'sweep-speedup',
    says: [
      'published: github.com/oven-sh/bun/pull/26814',
      'ints runtime published here 95 % 10 items bun@1.3.9 100 µs 91.6–109 µs bun@1.4.5 7.60x 100 µs 1.00x',
      'strings runtime published here 95 % 10 items bun@1.3.9 100 µs 91.6–109 µs bun@1.4.5 100 µs',
      '100 items bun@1.3.9 100 µs 91.6–109 µs bun@1.4.5 2.10x 100 µs 1.00x',
    ],
    args: 'sweep --preset bun-arrays -r bun@1.3.9 bun@1.4.5',
    scenario: { runtimes: ['bun@1.3.9', 'bun@1.4.5'] },
  },
  {
    name: 'sweep-folklore',
    args: 'sweep --preset blog-keys',
    scenario: {
      runtimes: ['node@24.0.0', 'bun@1.4.5'],
      script: { times: (ask) => meetAt30({ ...ask, recipe: tenfold(ask.recipe) }) },
    },
  },
  {
    name: 'sweep-folklore-browsers',
    says: [
      'What has changed: json-text won in Chrome 48, and in chromium@156.0.1 raw wins from 0 to 3 keys; raw won in Safari 9, and in webkit@2.50.6 json-text or partial-text wins from 5 to 30 keys.',
    ],
    args: 'sweep --preset blog-keys -r chromium webkit',
    scenario: {
      runtimes: ['chromium@156.0.1', 'webkit@2.50.6'],
      script: { times: (ask) => meetAt30({ ...ask, recipe: tenfold(ask.recipe) }) },
    },
  },
  {
    name: 'sweep-interrupted',
    code: 130,
    says: ['Interrupted: this was measured until then.', 'clone-prof: interrupted'],
    args: 'sweep rows.json --steps 3',
    scenario: { ...sweepable, interruptAt: 'measure' },
  },
  {
    name: 'sweep-hostile',
    says: ['the 3 items of $["\\u001b]0;x\\u0007:\\u003aerror::"], scaled from 1 to 10'],
    args: 'sweep a.json --scale 1..10 --steps 2',
    scenario: { files: { 'a.json': '{"\\u001b]0;x\\u0007::error::":[1,2,3]}' }, script: { times: meetAt30 } },
  },
  {
    name: 'sweep-crash',
    code: 3,
    says: [
      'Fastest: raw from 10 to 18; undecided at 32; partial-text at 57; json-text or partial-text at 100.',
      'clone-prof: rows on bun@1.4.5: not timed at 1000 items: the guest: the runtime crashed (SIGKILL)',
    ],
    args: 'sweep rows.json --scale 10..1000 --steps 3 -r node bun',
    scenario: {
      ...sweepable,
      runtimes: ['node@24.0.0', 'bun@1.4.5'],
      script: {
        times: meetAt30,
        fails: (ask, { name }) =>
          ask.type === 'measure' && name === 'bun' && sizeIn(ask) > 500
            ? new ToolError('guest-crashed', { detail: 'SIGKILL' })
            : null,
      },
    },
  },
  {
    name: 'sweep-runtime-missing',
    code: 3,
    says: [
      '10 items node@24.0.0 2.83 µs 100 µs 91.6–109 µs',
      "clone-prof: runtime 'deno' was not found (fake)",
    ],
    args: 'sweep --preset bun-objects -r node deno',
    scenario: {},
  },
  {
    name: 'sweep-nothing',
    code: 2,
    says: [
      'clone-prof: no payload given. Name a file: clone-prof sweep payload.json, or a published benchmark: --preset bun-strings',
    ],
    args: 'sweep',
    scenario: {},
  },
  {
    name: 'sweep-number',
    code: 2,
    says: [
      'clone-prof: a.json: there is no array, string, object or buffer that holds anything in it that could be scaled',
    ],
    args: 'sweep a.json',
    scenario: { files: { 'a.json': '7' } },
  },
  {
    name: 'sweep-no-such-place',
    code: 2,
    says: ['clone-prof: a.json: there is no buffer with bytes in it that could be scaled'],
    args: 'sweep a.json --by bytes',
    scenario: { files: { 'a.json': '[1]' } },
  },
  {
    name: 'sweep-two',
    code: 2,
    says: ['clone-prof: sweep takes one payload, and these are 2: a, b. Name one, of a module with --export'],
    args: 'sweep a.json b.json',
    scenario: { files: { 'a.json': '[1]', 'b.json': '[2]' } },
  },
  {
    name: 'sweep-missing-file',
    code: 2,
    says: ['clone-prof: a.json: no such file. Check the path; globs must match at least one file'],
    args: 'sweep a.json',
    scenario: {},
  },
  {
    name: 'sweep-bad-scale',
    code: 2,
    says: [
      "clone-prof: --scale: '10..1' is not a range of sizes. Write it like 10..10k or 1k..1M, the smaller first",
    ],
    args: 'sweep a.json --scale 10..1',
    scenario: { files: { 'a.json': '[1]' } },
  },
  {
    name: 'sweep-bad-steps',
    code: 2,
    says: ["clone-prof: --steps: '1' is not a whole number from 2 to 40"],
    args: 'sweep a.json --steps 1',
    scenario: { files: { 'a.json': '[1]' } },
  },
  {
    name: 'sweep-unknown-preset',
    code: 2,
    says: [
      "clone-prof: --preset: 'deno-strings' is unknown. Known: bun-strings, bun-flat-object, bun-arrays, bun-objects, blog-keys",
    ],
    args: 'sweep --preset deno-strings',
    scenario: {},
  },
  {
    name: 'sweep-preset-and-file',
    code: 2,
    says: ['clone-prof: --preset bun-strings has its own payloads and sizes: leave out a.json'],
    args: 'sweep a.json --preset bun-strings',
    scenario: { files: { 'a.json': '[1]' } },
  },
  {
    name: 'help-sweep',
    says: ['Usage: clone-prof sweep [options] [payload...]'],
    args: 'sweep --help',
    scenario: {},
  },
];

/** Thirty keys reach beyond the crossing at 30 items. */
function tenfold(recipe: MeasureAsk['recipe']): MeasureAsk['recipe'] {
  const { build } = recipe;
  return build.form === 'specimen'
    ? { ...recipe, build: { ...build, size: 10 * (build.size ?? 0) } }
    : recipe;
}

testTranscripts(TRANSCRIPTS);

test('one sweep as a page and as JSON: both have the same sweep', async () => {
  const args = 'sweep rows.json --scale 1..1k --steps 4 -o rows.html -o rows.out.json'.split(' ');
  const { code, stdout, files } = await runCli(args, { ...sweepable, shows: ['rows.html', 'rows.out.json'] });
  assert.equal(code, 0);
  assert.match(stdout, /rows/);
  const sweep = JSON.parse(files['rows.out.json'] ?? '') as SweepReport;
  const [, data] = /<script [^>]*id="report">([\s\S]*?)<\/script>/.exec(files['rows.html'] ?? '') ?? [];
  assert.deepEqual(JSON.parse(data ?? ''), sweep);
  assert.equal(files['rows.html']?.match(/class="crossing /g)?.length, sweep.crossovers.length);
  assert.ok(sweep.crossovers.length > 2);
});
