/** V8: what is built when its thread has received such a message is stored otherwise. */

import type { Run } from '../../../model/documents/report.ts';
import type { Statement } from '../model/model.ts';
import { runtimeName } from '../model/run-groups.ts';
import { code, type Sentence, sentence } from '../model/sentence.ts';
import { gainText } from './gain-text.ts';
import { openText } from './other-channel.ts';

function timeOf({ builtLater }: Run): string | null {
  if (builtLater?.ratio == null) return null;
  const { ratio, outcome } = builtLater;
  return outcome === 'unsure' ? openText(ratio) : gainText([ratio]);
}

/** One for all runs of a section. */
export function builtLaterStatements(runs: readonly Run[]): Statement[] {
  const [path] = runs.flatMap(({ builtLater }) => builtLater?.path ?? []);
  if (path === undefined) return [];
  const times = runs.flatMap((run): Sentence[] => {
    const time = timeOf(run);
    if (time === null) return [];
    const name = runs.length === 1 ? '' : ` on ${runtimeName(run)}`;
    return [sentence`Posting it then${name}: ${time}.`];
  });
  const what = sentence`A thread that has received such a message stores values that it builds later differently, at ${code(path)}. Verdict, times and rewrites are of one that was built before.`;
  return [{ label: 'later', tone: 'muted', sentences: [what, ...times] }];
}
