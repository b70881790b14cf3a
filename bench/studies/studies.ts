/**
 * The payloads of published studies, raw and as JSON text, over a worker and a port: a plain page, which shares no code with
 * the tool, beside `analyze`. Both must find the same of the two faster, unless the pages differ about it themselves.
 *
 * `STUDIES_BROWSERS=chromium`, `STUDIES_PAGES=5` (fresh browsers, each with a page for each row), `STUDIES_BUDGET=3s`.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Report } from '../../src/model/documents/report.ts';
import type { BrowserName } from '../../src/model/names.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { installedBrowser, TEST_BROWSERS } from '../../test/support/fetched.ts';
import { envWith } from '../../test/support/runtimes.ts';
import { inPages } from '../in-page.ts';
import { medianOf } from '../interleave.ts';
import type { Row } from '../table.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const here = import.meta.dirname;
const { STUDIES_BROWSERS = TEST_BROWSERS.join(','), STUDIES_PAGES, STUDIES_BUDGET = '3s' } = process.env;
const PAGES = Number(STUDIES_PAGES ?? 5);
const CHANNELS = ['worker', 'message-port'] as const;
/** Of the rows of one browser. */
const MAY_DIFFER = 1;

const PAGE = '<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>';
const script = (name: string) => async (): Promise<[string, string]> => [
  'text/javascript',
  await readFile(join(here, name), 'utf8'),
];
const SERVED = {
  '/': async (): Promise<[string, string]> => ['text/html', PAGE],
  '/page.js': script('page.js'),
  '/payloads.js': script('payloads.js'),
};

interface StudyRow {
  payload: string;
  channel: (typeof CHANNELS)[number];
}

/** The time of JSON text over that of the payload itself, and the ends of what is known of it. */
interface Found {
  ratio: number;
  ci: readonly [number, number];
}

/** What the pages import too. */
const payloads = (await import(new URL('payloads.js', import.meta.url).href)) as object;
const ROWS: StudyRow[] = Object.keys(payloads).flatMap((payload) =>
  CHANNELS.map((channel) => ({ payload, channel })),
);

/** From the least to the greatest of all pages. */
async function inPlainPages(browser: FoundRuntime): Promise<Found[]> {
  const ratios: number[][] = ROWS.map(() => []);
  const addresses = ROWS.map(({ payload, channel }) => `/?payload=${payload}&channel=${channel}`);
  for (let page = 0; page < PAGES; page++) {
    const told = await inPages(browser, addresses, SERVED);
    for (const [at, text] of told.entries()) {
      const { ratio, error } = JSON.parse(text) as { ratio: number; error?: string };
      if (error !== undefined) throw new Error(`${addresses[at]} on ${browser.name}: ${error}`);
      ratios[at]!.push(ratio);
    }
  }
  return ratios.map((all) => ({ ratio: medianOf(all), ci: [Math.min(...all), Math.max(...all)] }));
}

/** null where it was not timed. */
async function byAnalyze(browser: FoundRuntime): Promise<(Found | null)[]> {
  const args = [
    'bin/clone-prof.js',
    'analyze',
    join(here, 'payloads.js'),
    '-f',
    'json',
    '-b',
    STUDIES_BUDGET,
  ];
  const how = ['-r', browser.name, '-c', ...CHANNELS, '--try', join(here, 'json-text.js')];
  const options = { cwd: root, env: envWith(browser), maxBuffer: 2 ** 28 };
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...how], options);
  const report = JSON.parse(stdout) as Report;
  return ROWS.map(({ payload, channel }) => {
    const found = report.payloads.find(({ source }) => source.export === payload);
    const run = found?.runs.find((one) => one.channel === channel);
    return run?.trials.find(({ remedy }) => remedy.endsWith('json-text.js'))?.withConversion ?? null;
  });
}

const sideOf = (ratio: number) => (ratio < 1 ? 'JSON text' : 'raw');

function comparedRow(name: string, { payload, channel }: StudyRow, page: Found, tool: Found | null): Row {
  const isOpen = page.ci[0] <= 1 && page.ci[1] >= 1;
  const held = isOpen || (tool !== null && sideOf(tool.ratio) === sideOf(page.ratio));
  const text = ({ ratio, ci }: Found) =>
    `${ratio.toFixed(2)} (${ci.map((end) => end.toFixed(2)).join(' to ')})`;
  const faster = isOpen ? 'pages differ' : sideOf(page.ratio);
  const note = `${faster}; page ${text(page)}, analyze ${tool === null ? 'not timed' : text(tool)}`;
  const what = `${name}, ${payload}, ${channel}: JSON text / raw`;
  return { what, value: page.ratio, unit: 'x', budget: null, held, note, raw: { page, tool } };
}

async function rowsOf(name: string): Promise<Row[]> {
  const browser = await installedBrowser(name as BrowserName);
  if (browser === null) {
    console.error(`${name}: not here, so left out`);
    return [];
  }
  const pages = await inPlainPages(browser);
  const tool = await byAnalyze(browser);
  const rows = ROWS.map((row, at) => comparedRow(name, row, pages[at]!, tool[at] ?? null));
  const other = rows.filter(({ held }) => !held).length;
  const what = `${name} ${browser.version}: rows of ${rows.length} in which analyze finds the other one faster`;
  const shown = rows.map((row) => ({ ...row, held: null }));
  return [...shown, { what, value: other, unit: '', budget: MAY_DIFFER, held: other <= MAY_DIFFER }];
}

export async function studies(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of STUDIES_BROWSERS.split(',')) rows.push(...(await rowsOf(name)));
  return rows;
}
