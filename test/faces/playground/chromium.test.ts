/** The page to play with in a real Chromium, from disk and from a server. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { classify } from '../../../src/faces/library/classify.ts';
import type { PayloadReport, Report, Run } from '../../../src/model/documents/report.ts';
import { runtimesWithWorkers } from '../../../src/model/names.ts';
import { assertNotWider } from '../../support/accessible.ts';
import { realCli } from '../../support/real-cli.ts';
import { missing } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { assertTimed } from '../../support/timed.ts';
import { ISOLATED, playgroundHost } from './host.ts';
import { FILE, PlaygroundPage } from './playground-page.ts';

const folder = tempFolder('page');

const orders = readFileSync(new URL('../../../fixtures/orders.json', import.meta.url), 'utf8');

/** A measurement proves and times each rewrite of them. */
const SOME_ORDERS = JSON.stringify({ orders: JSON.parse(orders).orders.slice(0, 5) });

const onPage = (
  what: string,
  { address = FILE, size }: { address?: string; size?: [number, number] },
  body: (page: PlaygroundPage) => Promise<void>,
) =>
  test(what, { skip: missing('chromium') }, async () => {
    const page = await PlaygroundPage.open(address, size);
    try {
      await body(page);
      assert.deepEqual(page.page.problems, []);
    } finally {
      await page.close();
    }
  });

/** What the page saves, as the command reads it. */
async function printed(report: Report): Promise<string> {
  const file = join(folder, 'saved.json');
  writeFileSync(file, JSON.stringify(report));
  const { code, stdout, stderr } = await realCli(['report', file]);
  assert.equal(code, 0, stderr);
  return stdout;
}

const runsOf = ({ payloads }: Report): Run[] => payloads.flatMap(({ runs }) => runs);

const shown = ({ verdict }: Pick<Run, 'verdict'>) => ({
  path: verdict?.path,
  class: verdict?.class,
  blockers: verdict?.blockers,
});

/** What is assumed of data in the page is what the library tells of the same data. */
function assertLikeLibrary({ runs }: PayloadReport, value: unknown): void {
  assert.deepEqual(runs.map(({ runtime }) => runtime.name).sort(), [...runtimesWithWorkers()].sort());
  for (const run of runs) {
    const runtime = `${run.runtime.name}@latest`;
    assert.deepEqual(shown(run), shown(classify(value, { runtime })), runtime);
    assert.equal(run.shape?.representation.engine, run.runtime.engine, runtime);
  }
}

const PAYLOADS = {
  'records in records': JSON.parse(orders),
  'a flat object with a long string': { s: 'x'.repeat(5000), n: 1 },
  'a long string': 'y'.repeat(20_000),
  'an array of numbers': [1, 2, 3],
  'rows of mixed values': [1.5, 'a', null, { b: [true] }],
};
/** All in one run, each an export, parsed as a paste of JSON is. */
const MODULE = Object.values(PAYLOADS)
  .map((value, i) => `export const p${i} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`)
  .join('\n');

onPage('from disk, the verdicts of all engines are those of the library', {}, async (page) => {
  for (const [values, as, text] of [
    [[PAYLOADS['records in records']], 'json', orders],
    [Object.values(PAYLOADS), 'javascript', MODULE],
  ] as const) {
    await page.paste(text, as);
    await page.press('classify');
    assert.equal(await page.text('problem'), '');
    const { payloads } = await page.report();
    assert.equal(payloads.length, values.length);
    for (const [i, value] of values.entries()) assertLikeLibrary(payloads[i]!, value);
    const rows = await page.text('verdicts');
    for (const name of runtimesWithWorkers()) assert.match(rows, new RegExp(`^${name} .*\t\\S`, 'm'));
  }
  const differing = /^bun newest: Fast already: /m;
  assert.match(await page.text('verdicts'), differing, 'engines that differ are told apart');
  assert.match(await printed(await page.report()), /bun newest/);
});

function assertMeasured(report: Report): void {
  const [run, ...others] = runsOf(report);
  assert.deepEqual(others, []);
  assert.equal(run?.status, 'measured', run?.error?.message);
  const { measurement, advice } = run!;
  const { roundTrip, floor } = measurement!;
  assertTimed({ roundTrip: roundTrip.median, floor: floor.roundTrip });
  assert.equal(measurement?.sender, 'worker');
  assert.notEqual(roundTrip.samples, 0);
  assert.ok(advice !== null);
  assert.ok(run!.trials.length > 0);
}

onPage('from disk, it measures in this browser and advises; nothing is asked for', {}, async (page) => {
  await page.paste(SOME_ORDERS);
  await page.press('measure');
  assert.equal(await page.text('problem'), '');
  assertMeasured(await page.report());
  assert.match(await printed(await page.report()), /[\d.]+ \S+ a message/);
  assert.match(
    await page.text('measured'),
    /^payload\.json\n+.* to a worker .*\n+[\d.,]+ (?:µs|ms|s) a message/,
  );
  assert.doesNotMatch(await page.text('measured'), /round trip\t/, 'details are folded');
  await page.unfold();
  assert.match(await page.text('measured'), /not isolated/);
  assert.match(await page.text('measured'), /round trip\t/);
  assert.deepEqual(
    page.page.requests.filter((address) => !address.startsWith('blob:')),
    [FILE],
  );
});

const example = 'a page from disk measures an example with one click, and fits the screen of a phone';
onPage(example, { size: [390, 844] }, async (page) => {
  await page.press('example');
  assert.equal(await page.text('problem'), '');
  assertMeasured(await page.report());
  assert.equal(await page.page.evaluate('document.activeElement.id'), 'measured-title');
  await page.unfold();
  await assertNotWider(page.page, 'the example');
  const kinds = "[...document.querySelectorAll('#measured figure')].map((one) => one.className)";
  assert.deepEqual(await page.page.evaluate(kinds), ['chart icicle', 'chart times', 'chart forest']);
  const readout = await page.page.evaluate<string>(`
    const part = document.querySelector('#measured .cells svg');
    part.dispatchEvent(new Event('pointerover', { bubbles: true }));
    part.closest('figure').querySelector('.readout').innerText;`);
  assert.match(readout, /^\$\.orders\[\*\]: [\d.]+ kB, 100 %/);
  const [, id = ''] = /^url\("#(.+)"\)$/.exec(
    await page.page.evaluate("getComputedStyle(document.querySelector('#measured .cells')).fill"),
  )!;
  assert.ok(
    await page.page.evaluate(`document.getElementById('${id}') !== null`),
    'its texture is in the page',
  );
});

const host = await playgroundHost([], ISOLATED);
after(() => host.close());

onPage(
  'receiving is timed too if the server isolates the page',
  { address: `${host.url}/` },
  async (page) => {
    await page.paste(SOME_ORDERS);
    await page.press('measure');
    const report = await page.report();
    assertMeasured(report);
    assertTimed({ receive: runsOf(report)[0]?.measurement?.receive?.median });
    await page.unfold();
    assert.doesNotMatch(await page.text('measured'), /not isolated/);
    assert.deepEqual(host.asked, ['/']);
  },
);
