import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import type { GuestRequest } from '../../src/model/wire/wire.ts';
import { runCli } from '../support/run-cli.ts';
import type { FakeTimes } from '../support/scripted-samples.ts';

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
