/** Pages of reports in Chromium: how large they are, and when the first of them is on the screen. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Report } from '../src/model/documents/report.ts';
import { fiftyPayloads, sixRuns } from '../test/report/frozen/large.ts';
import { render } from '../test/report/render.ts';
import { ChromiumPage, closeChromium } from '../test/support/devtools.ts';
import { runtime } from '../test/support/runtimes.ts';
import { medianOf } from './interleave.ts';
import type { Row } from './table.ts';

const LOADS = 15;
const PAINT_MS = 300;

/** ms from the start of the navigation. */
const PAINTED = `new Promise((resolve) => {
  const told = ([one]) => one && resolve(one.startTime);
  new PerformanceObserver((list) => told(list.getEntriesByName('first-contentful-paint'))).observe({ type: 'paint', buffered: true });
})`;

async function rowsOf(what: string, report: Report, mostBytes: number, folder: string): Promise<Row[]> {
  const html = render('html', report);
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const url = pathToFileURL(file).href;
  const page = await ChromiumPage.open(runtime('chromium').binary, url);
  const raw: number[] = [];
  try {
    for (let load = 0; load < LOADS; load++) {
      await page.send('Page.navigate', { url });
      raw.push(await page.evaluate<number>(PAINTED));
    }
  } finally {
    await page.close();
  }
  const bytes = Buffer.byteLength(html);
  const paint = medianOf(raw);
  return [
    {
      what: `${what}: size`,
      value: bytes / 1000,
      unit: 'kB',
      budget: mostBytes / 1000,
      held: bytes <= mostBytes,
    },
    {
      what: `${what}: first paint`,
      value: paint,
      unit: 'ms',
      budget: PAINT_MS,
      held: paint <= PAINT_MS,
      raw,
    },
  ];
}

export async function pages(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'clone-prof-bench-pages-'));
  try {
    return [
      ...(await rowsOf('2 payloads on 3 runtimes', sixRuns(), 200_000, folder)),
      ...(await rowsOf('50 payloads', fiftyPayloads(), 1_000_000, folder)),
    ];
  } finally {
    await closeChromium();
    rmSync(folder, { recursive: true });
  }
}
