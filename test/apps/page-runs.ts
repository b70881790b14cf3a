/** A page of the corpus, opened in Chromium plain, with the recorder, and with the counter. */
import { Serializer } from 'node:v8';
import { openedSite, recordedSite, withSite } from '../runtimes/recorded/site.ts';
import type { App } from './corpus/app.ts';
import { type Counted, countedOf } from './counter/counted.ts';
import { COUNTER_FOR_WEB, type CountedRun, type Run, type Runs } from './runs.ts';

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
    const { value, ...one } = JSON.parse(line, revived) as { api: string; value: unknown; threw?: true };
    const serializer = new Serializer();
    serializer.writeHeader();
    serializer.writeValue(value);
    return { ...one, site: '', bytes: serializer.releaseBuffer().length };
  });
  return countedOf(lines, '');
}

const revived = (_key: string, value: unknown): unknown => {
  const { view, bytes } = (value ?? {}) as { view?: string; bytes?: number };
  return view === undefined ? value : new Uint8Array(bytes!);
};
