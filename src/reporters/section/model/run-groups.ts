/** Runs of one payload: named, ordered, and grouped where their sections are the same. */

import type { Run } from '../../../model/documents/report.ts';
import type { Advice } from '../../../model/documents/trial.ts';
import { runtimeWord } from '../../../model/names.ts';
import { groupedBy } from '../../text/grouped.ts';
import type { Figure } from './model.ts';
import { listed } from './sentence.ts';

export const runtimeName = ({ runtime }: Run): string => `${runtimeWord(runtime)} ${runtime.version}`;

/** "node 20.20.2, 24.21.0 and bun 1.4.5" */
export function runtimeNames(runs: readonly Run[]): string {
  const byName = groupedBy(runs, ({ runtime }) => runtimeWord(runtime));
  const versions = (own: readonly Run[]) =>
    [...new Set(own.map(({ runtime }) => runtime.version))].join(', ');
  return listed([...byName].map(([name, own]) => `${name} ${versions(own)}`));
}

/** Measured runs by round trip, then classified ones, then failed ones. */
export function fastestFirst(runs: readonly Run[]): Run[] {
  const place = (run: Run) => {
    if (run.measurement !== null) return run.measurement.roundTrip.median;
    return run.status === 'failed' ? Number.MAX_VALUE : Number.MAX_SAFE_INTEGER;
  };
  return [...runs].sort((a, b) => place(a) - place(b));
}

/** All that a section has in common for its runs. Runtimes of one engine share it unless it names versions. */
function sectionKey(run: Run): string {
  const { verdict, advice } = run;
  const namesVersions =
    verdict?.confirmed === false || (verdict?.upgrade ?? advice?.upgrade ?? null) !== null;
  return JSON.stringify([
    run.status === 'failed' ? null : run.runtime.engine,
    namesVersions ? run.runtime.name : null,
    run.channel,
    run.status,
    run.error?.message ?? null,
    verdict,
    run.findings,
    advice && [advice.action, advice.remedy, advice.path, advice.code],
    advice && [advice.ownsBothForms ?? false, moduleBody(advice)],
    advice?.available && [advice.available.remedy, advice.available.path],
    advice?.upgrade ?? null,
    advice?.untried ?? null,
    run.builtLater?.path ?? null,
    run.otherChannel && [run.otherChannel.kept, run.otherChannel.lost],
  ]);
}

export const sectionGroups = (runs: readonly Run[]): Run[][] => [...groupedBy(runs, sectionKey).values()];

/** Figures about one run each, with its name where the section has several. */
export const figuresByRun = (
  runs: readonly Run[],
  figuresOf: (run: Run) => Pick<Figure, 'title' | 'short' | 'parts' | 'isAsked'>[],
): Figure[] =>
  runs.flatMap((run) => {
    const runtime = runs.length === 1 ? null : runtimeName(run);
    return figuresOf(run).map((figure) => ({ ...figure, runtime, folded: true }));
  });

/** Without the comment that names the runtime. */
const moduleBody = ({ module }: Advice): string => (module ?? '').replace(/^(\/\/.*\n)+/, '');
