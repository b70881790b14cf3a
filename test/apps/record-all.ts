/** `npm run record:apps [part of a name...]`: real programs run plain and recorded, and compared. Exit code 1 for a missed bar. */
import { isOther } from './advice.ts';
import { isWithin } from './agreement.ts';
import { type Checked, checkApp } from './check-app.ts';
import { type App, LIBRARY_APPS, modulesOf, NODE_APPS, OTHER_APPS } from './corpus/apps.ts';
import { TOOL_APPS } from './corpus/tools.ts';
import { factorOf, MAX_FACTOR, summaryOf } from './summary.ts';

/** Most of them wait for each other's threads. */
const SIDE_BY_SIDE = 2;

const CORPUS: readonly App[] = [...LIBRARY_APPS, ...NODE_APPS, ...TOOL_APPS, ...OTHER_APPS];
const parts = process.argv.slice(2);
const chosen = CORPUS.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));

async function checked(app: App): Promise<Checked> {
  const nothing = {
    name: app.name,
    varies: [],
    sites: [],
    advice: [],
    counts: { counted: 0, tail: 0, wrong: [] },
  };
  try {
    return await checkApp(app, await modulesOf(app));
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return { ...nothing, differences: [stderr.trim() || message] };
  }
}

function tell({ name, differences, varies, counts, sites, advice }: Checked): void {
  const wrong = [...differences, ...counts.wrong];
  const verdict = wrong.length > 0 ? 'DIFFERS' : varies.length > 0 ? 'varies' : 'same';
  const beside = varies.length > 0 ? ` (${varies.join(', ')})` : '';
  console.log(`${verdict.padEnd(8)} ${name}${beside}: ${counts.counted} messages, ${sites.length} sites`);
  for (const one of wrong) console.log(`    ${one.trim().replaceAll('\n', '\n    ')}`);
  for (const { key, bytes } of sites)
    if (bytes !== null && (!isWithin(bytes) || factorOf(bytes) > MAX_FACTOR))
      console.log(`    ${key}: ${bytes.low} to ${bytes.high} bytes told, ${bytes.counted} counted`);
  for (const { id, recorded, posted } of advice.filter(isOther))
    console.log(
      `    ${id}: ${recorded.join(', ') || 'nothing'} for the recorded, ${posted.join(', ') || 'nothing'} for the posted`,
    );
}

const all: Checked[] = [];
const waiting = [...chosen];

async function checkWaiting(): Promise<void> {
  for (let app = waiting.shift(); app; app = waiting.shift()) {
    const one = await checked(app);
    all.push(one);
    tell(one);
  }
}

await Promise.all(Array.from({ length: SIDE_BY_SIDE }, checkWaiting));
const { lines, missed } = summaryOf(all);
console.log(`\n${lines.join('\n')}`);
if (missed.length > 0) {
  console.log(`missed: ${missed.join(', ')}`);
  process.exitCode = 1;
}
