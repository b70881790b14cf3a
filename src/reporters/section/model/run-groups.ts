/** Runs of one payload: names, and groups of runs with the same findings. */

import type { Run } from '../../../model/documents/report.ts';
import { runtimeWord } from '../../../model/names.ts';
import { groupedBy } from '../../text/grouped.ts';
import { listed } from './sentence.ts';

export const runtimeName = ({ runtime }: Run): string => `${runtimeWord(runtime)} ${runtime.version}`;

/** Distinct names of a payload's runs: "chromium 143.0.0", or "chromium 143.0.0, window" for several channels. */
export function runNames(runs: readonly Run[]): (run: Run) => string {
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  return (run) => (severalChannels ? `${runtimeName(run)}, ${run.channel}` : runtimeName(run));
}

/** "node 20.20.2, 24.21.0 and bun 1.4.5" */
export function runtimeNames(runs: readonly Run[]): string {
  const byName = groupedBy(runs, ({ runtime }) => runtimeWord(runtime));
  const versions = (own: readonly Run[]) =>
    [...new Set(own.map(({ runtime }) => runtime.version))].join(', ');
  return listed([...byName].map(([name, own]) => `${name} ${versions(own)}`));
}

/** Key of all facts that a section shares for its runs. Runtimes of one engine share it unless it names versions. */
function sectionKey(run: Run): string {
  const { verdict, advice } = run;
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  const namesVersions = verdict?.confirmed === false || upgrade !== null;
  return JSON.stringify([
    run.status === 'failed' ? null : run.runtime.engine,
    namesVersions ? run.runtime.name : null,
    run.channel,
    run.error?.message ?? null,
    verdict,
    run.findings,
    upgrade,
    advice?.action === 'apply' ? advice.remedy : advice === null,
  ]);
}

export const sectionGroups = (runs: readonly Run[]): Run[][] => [...groupedBy(runs, sectionKey).values()];
