/** A page of the corpus, opened in Chromium plain, with the recorder, and with the counter. */
import { createRequire } from 'node:module';
import { openedSite, recordedSite, withSite } from '../record/program/site.ts';
import type { App } from './corpus/app.ts';
import { type Counted, countedOf, type Posted } from './counter/counted.ts';
import type * as told from './counter/told-value.cjs';
import type * as wire from './counter/wire.cjs';
import { COUNTER_FOR_WEB, type CountedRun, type Run, type Runs } from './runs.ts';

const require = createRequire(import.meta.url);
const { madeValue } = require('./counter/told-value.cjs') as typeof told;
const { wireBytes } = require('./counter/wire.cjs') as typeof wire;

const asFiles = ({ files }: App): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`/${name.replace('index.html', '')}`, text]),
  );

const asRun = (said: readonly string[]): Run => ({ code: 0, stdout: said.join('\n'), stderr: '', files: '' });

async function opened(files: Readonly<Record<string, string>>): Promise<string[]> {
  return withSite(files, {}, async (site) => {
    await openedSite(site);
    return site.said;
  });
}

export async function pageRuns(app: App): Promise<Runs> {
  const files = asFiles(app);
  const plain: Runs['plain'] = [asRun(await opened(files)), asRun(await opened(files))];
  return withSite(files, {}, async (site) => {
    const told = await recordedSite(site);
    return { plain, recorded: asRun(site.said), told };
  });
}

const POSTED = 'posted ';

export async function countedPage(app: App, { told }: Runs): Promise<CountedRun> {
  const said = await opened({ ...asFiles(app), '/counter.js': COUNTER_FOR_WEB });
  const lines = said.filter((line) => line.startsWith(POSTED)).map((line) => line.slice(POSTED.length));
  // How many threads it has is not counted.
  return { code: 0, told, counted: { ...pageCount(lines), threads: told.header.threads } };
}

/** Messages are made again of what was told of them. */
function pageCount(told: readonly string[]): Omit<Counted, 'threads'> {
  const lines = told.map((line) => {
    const { message, ...one } = JSON.parse(line) as { api: string; message: Posted | null; threw?: true };
    const size = message === null ? null : sizeOf(message.told);
    return { ...one, site: '', bytes: size, message: message && { ...message, size } };
  });
  return countedOf(lines, '');
}

function sizeOf(told: unknown): number | null {
  const { value, transfer } = madeValue(told);
  return wireBytes(value, transfer);
}
