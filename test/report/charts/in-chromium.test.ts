/** Pages with charts in a real Chromium: what is drawn against the data. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import { amountText } from '../../../src/report/print/sweep-series.ts';
import { draw } from '../../../src/report/registry.ts';
import { assertAccessible } from '../../support/accessible.ts';
import { ChromiumPage, closeChromium } from '../../support/devtools.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { compared } from '../compare/reports.ts';
import { hostile, preset, strategies } from '../frozen/sweeps.ts';
import { frozen, PLAIN, render } from '../render.ts';

const folder = tempFolder('charts');
after(closeChromium);

function written(name: string, page: string): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, page);
  return pathToFileURL(file).href;
}

async function shown(page: ChromiumPage, name: string, text: string): Promise<void> {
  await page.send('Page.navigate', { url: written(name, text) });
  await page.until(`document.readyState === 'complete' && location.href.endsWith('${name}.html')`);
}

const htmlSweep = (report: SweepReport): string => draw(report, 'html', PLAIN);

const textsOf = (page: ChromiumPage, selector: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('${selector}')].map((one) => one.textContent)`);

test('sweeps and recordings in Chromium', { skip: missing('chromium') }, async (t) => {
  const page = await ChromiumPage.open(runtime('chromium').binary, 'about:blank');
  try {
    await t.test('a sweep shows the crossovers, the points and the tables of its JSON', async () => {
      await shown(page, 'strategies', htmlSweep(strategies));
      const { points, crossovers } = strategies;
      const label = ({ between, size, ci }: (typeof crossovers)[number]) =>
        `${between[1]} ${amountText(size)} (${ci.map(amountText).join('–')})`;
      const drawn = await textsOf(page, '.crossing > text');
      assert.deepEqual(drawn.sort(), crossovers.map(label).sort());
      // Each curve has one more mark beside its name.
      const curves = new Set(points.map(({ runtime: { name }, strategy }) => `${name} ${strategy}`)).size;
      assert.equal((await textsOf(page, '.curve .mark')).length, points.length + curves);
      assert.equal((await textsOf(page, '.curves tbody td')).length, points.length);
      await assertAccessible(page);
    });

    await t.test('a comparison has a row for each run, and can be read', async () => {
      const comparison = compared(frozen('three-runtimes'), frozen('apply'), frozen('hostile'));
      await shown(page, 'comparison', draw(comparison, 'html', PLAIN));
      const rows = await textsOf(page, 'main > .scroll:nth-of-type(2) tbody tr');
      assert.equal(rows.length, comparison.runs.length);
      await assertAccessible(page);
    });

    await t.test('published figures are open marks', async () => {
      await shown(page, 'preset', htmlSweep(preset));
      const published = preset.points.filter((point) => point.published !== null);
      assert.equal((await textsOf(page, '.published .open')).length, published.length);
    });

    await t.test('a recording shows its sites', async () => {
      const report = frozen('recording');
      await shown(page, 'recording', render('html', report));
      const columnOf = async (head: string) =>
        (await textsOf(page, `td[data-head="${head}"]`)).filter(Boolean);
      const queues = report.payloads.filter(({ traffic }) => (traffic?.queue?.max ?? 0) > 1);
      assert.equal((await columnOf('waiting')).length, queues.length);
      // Recorded costs are of another kind, so only their numbers are there.
      const costs = report.payloads.filter(({ traffic }) => traffic?.cost && traffic.cost.of !== 'send');
      assert.equal((await textsOf(page, '.in-cell')).length, costs.length);
      assert.equal((await textsOf(page, '.timeline .row')).length, report.payloads.length + 1);
    });

    await t.test('names that are attacks run nothing', async () => {
      await shown(page, 'hostile', htmlSweep(hostile).replace(/<meta http-equiv[^>]*>/, ''));
      assert.equal(await page.evaluate(`document.querySelectorAll('img').length`), 0);
    });

    assert.deepEqual(page.problems, []);
    assert.ok(
      page.requests.every((address) => /^(file|about):/.test(address)),
      page.requests.join(),
    );
  } finally {
    await page.close();
  }
});
