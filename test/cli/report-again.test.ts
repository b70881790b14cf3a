/** A stored result draws what the run that made it drew, byte for byte. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ToolError } from '../../src/model/errors.ts';
import { type CliScenario, runCli } from '../support/run-cli.ts';

const ORDERS = JSON.stringify({
  orders: [
    { id: 1, at: { x: 0.5 } },
    { id: 2, at: { x: -0 } },
  ],
  name: 'é\u2028</script>',
});
const ROWS = JSON.stringify(Array.from({ length: 10 }, (_, id) => ({ id, tags: ['a', 'b'] })));
const PHOTOS = readFileSync(new URL('../../fixtures/recordings/photos.cprof', import.meta.url), 'utf8');

interface Row {
  what: string;
  args: string;
  scenario: CliScenario;
  /** Of what is drawn: the part that the run has on stderr. */
  onStderr?: RegExp;
}

const two: CliScenario = {
  files: { 'orders.json': ORDERS, 'rows.json': ROWS },
  runtimes: ['node@24.0.0', 'bun@1.4.5'],
  script: { times: { of: { 'json-text/with-conversion': { roundTrip: 40_000 } }, jitter: 0.02 } },
};

const ROWS_OF_RUNS: Row[] = [
  { what: 'two payloads on two runtimes', args: 'analyze orders.json rows.json -b 2s', scenario: two },
  {
    what: 'branches and a profile',
    args: 'analyze orders.json --by-path --profile',
    scenario: two,
  },
  { what: 'what was not measured', args: 'analyze orders.json --no-measure', scenario: two },
  { what: 'in an envelope', args: 'analyze orders.json --via piscina comlink -b 2s', scenario: two },
  {
    what: 'what was not loaded',
    args: 'analyze orders.json missing.json',
    scenario: two,
    // `analyze` has it on stderr alone.
    onStderr: /\nmissing\.json\n\n {2}✖ [^✖]*file\n/,
  },
  {
    what: 'what failed',
    args: 'analyze orders.json',
    scenario: {
      ...two,
      script: {
        fails: () => new ToolError('guest-crashed', { detail: 'SIGSEGV', output: 'a\nb\u001b[31m' }),
      },
    },
  },
  {
    what: 'a recording',
    args: 'analyze photos.cprof',
    scenario: {
      files: { 'photos.cprof': PHOTOS },
      script: { values: { 'pool.js:41': { id: 17, sizes: [{ width: 16 }] } }, times: { jitter: 0.02 } },
    },
  },
  { what: 'a sweep', args: 'sweep rows.json --steps 3', scenario: two },
  { what: 'a preset', args: 'sweep --preset blog-keys', scenario: two },
];

for (const { what, args, scenario, onStderr } of ROWS_OF_RUNS) {
  test(`report draws the output of the run again, unchanged: ${what}`, async () => {
    const written = ['json', 'markdown', 'html'];
    const outputs = written.map((format) => `${format}=r.${format}`);
    const shows = written.map((format) => `r.${format}`);
    const run = await runCli([...args.split(' '), '-f', 'terminal', ...outputs], { ...scenario, shows });
    const files = Object.fromEntries(shows.map((name) => [name, run.files[name] ?? '']));
    assert.notEqual(run.stdout, '');
    for (const from of ['r.json', 'r.html']) {
      const again = written.flatMap((format) => [`${format}=again.${format}`]);
      const drawn = await runCli(['report', from, '-f', 'terminal', ...again], {
        files: { [from]: files[from] ?? '' },
        shows: written.map((format) => `again.${format}`),
      });
      assert.equal(drawn.code, 0, drawn.stderr);
      const asRun = onStderr === undefined ? drawn.stdout : drawn.stdout.replace(onStderr, '');
      assert.equal(asRun, run.stdout, `the terminal, from ${from}`);
      for (const format of written) {
        assert.equal(drawn.files[`again.${format}`], files[`r.${format}`], `${format}, from ${from}`);
      }
    }
  });
}
