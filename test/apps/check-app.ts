/** One program of the corpus: what differs between its runs, and between what was recorded and counted. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RecordedMessages, Recording } from '../../src/model/documents/recorded/recording.ts';
import { sumOf } from '../../src/model/sums.ts';
import { withoutFrames } from '../record/tap/recorded.ts';
import { runtime } from '../support/runtimes.ts';
import { type AdviceAgreement, adviceOf } from './advice.ts';
import { agreementOf, type Counts, countsOf, type SiteAgreement, thrownApart } from './agreement.ts';
import type { App } from './corpus/apps.ts';
import type { Counted } from './counter/counted.ts';
import { countedRun, type Place, type Runs, runsOf } from './runs.ts';

export interface Checked {
  name: string;
  /** One sentence for each difference between a plain run and the recorded one, and for each message that is not as expected. */
  differences: string[];
  /** What two plain runs differ in, so that the recorded one is not compared. */
  varies: string[];
  counts: Counts;
  sites: SiteAgreement[];
  advice: AdviceAgreement[];
}

/** @param modules where its packages are installed */
async function placed<T>(app: App, modules: string, use: (place: Place) => Promise<T>): Promise<T> {
  const outside = mkdtempSync(join(tmpdir(), 'clone-prof-apps-'));
  try {
    return await use({ folder: join(outside, 'program', app.name), outside, modules });
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
}

/** Output, exit code, files and envelopes. */
export const checkRuns = (app: App, modules: string): Promise<ComparedRuns> =>
  placed(app, modules, async (place) => comparedRuns(app, await runsOf(app, place)));

export const checkApp = (app: App, modules: string): Promise<Checked> =>
  placed(app, modules, async (place) => {
    const runs = await runsOf(app, place);
    const { differences, varies } = comparedRuns(app, runs);
    const { code, told, counted } = await countedRun(app, place, runs);
    const [plain] = runs.plain;
    const { threads } = told.header;
    const sites = agreementOf(told.messages, counted, app.importsCounter !== true);
    const beside = [
      ...(code === plain.code ? [] : [`with the counter it ends with ${code}, not ${plain.code}`]),
      ...(app.importsCounter ? thrownApart(told.header.thrown ?? [], counted) : []),
      ...(threads === counted.threads ? [] : [`${threads} threads recorded, ${counted.threads} counted`]),
    ];
    return {
      name: app.name,
      differences: [...differences, ...beside],
      varies,
      sites,
      counts: countsOf(sites),
      advice: await adviceFor(app, place, told, counted),
    };
  });

function adviceFor(app: App, { outside }: Place, told: Recording, counted: Counted) {
  const folder = join(outside, 'advice');
  mkdirSync(folder);
  const place = { folder, runtime: runtime(app.runtime ?? 'node') };
  return told.messages.length === 0
    ? Promise.resolve([])
    : adviceOf(told, counted, place, app.importsCounter !== true);
}

function printedBy({ varying, isUnordered }: App, printed: string): string {
  const text = varying === undefined ? printed : printed.replace(varying, '<varies>');
  return isUnordered ? text.split('\n').sort().join('\n') : text;
}

interface ComparedRuns extends Pick<Checked, 'differences' | 'varies'> {
  told: Recording;
}

function comparedRuns(app: App, { plain: [one, other], recorded, told }: Runs): ComparedRuns {
  const differences = expectedIn(app, told.messages);
  const varies: string[] = [];
  const parts: [what: string, of: (run: typeof one) => unknown][] = [
    ['exit code', ({ code }) => code],
    // Errors of posts have the recorder's frame.
    ['stdout', ({ stdout }) => withoutFrames(printedBy(app, stdout))],
    ['files', ({ files }) => files],
  ];
  for (const [what, of] of parts) {
    if (of(one) !== of(other)) varies.push(what);
    else if (of(recorded) !== of(one))
      differences.push(`another ${what}: ${of(recorded)}, not ${of(one)}\n${recorded.stderr}`);
  }
  return { differences, varies, told };
}

function expectedIn({ envelopes }: App, messages: readonly RecordedMessages[]): string[] {
  if (envelopes === undefined) return [];
  const { library, requests, replies } = envelopes;
  const all = (direction: 'request' | 'reply'): RecordedMessages[] =>
    messages.filter(({ envelope }) => envelope?.library === library && envelope.direction === direction);
  const expected = [['request', requests] as const, ['reply', replies] as const];
  return expected.flatMap(([direction, count]) => {
    const groups = all(direction);
    const told = sumOf(groups, (group) => group.count);
    const isNamed = groups.every(({ site }) => site.library?.version);
    return [
      ...(told === count
        ? []
        : [`${told} messages are told to be a ${direction} of ${library}, not ${count}`]),
      ...(isNamed ? [] : [`the version of ${library} is not known for each ${direction}`]),
    ];
  });
}
