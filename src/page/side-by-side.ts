import type { Run } from '../model/documents/report.ts';
import type { Wording } from '../model/report/wording.ts';
import { type Column, columnsOf } from '../reporters/section/model/columns.ts';
import { runtimeName } from '../reporters/section/model/run-groups.ts';
import { statusText } from '../reporters/section/model/verdict.ts';
import { bytesText } from '../reporters/section/payload.ts';

/** "simple-object: flat object"; a payload that is refused takes none. */
function pathText({ runtime, verdict }: Run, words: Wording): string {
  if (verdict === null || verdict.path === 'rejected') return '';
  const title = words.paths[runtime.engine][verdict.path]?.title;
  return title === undefined || title === verdict.path ? verdict.path : `${verdict.path}: ${title}`;
}

/** What each engine does with a payload, where nothing was timed. */
export const sideBySide = (runs: readonly Run[], words: Wording): Column[] =>
  columnsOf(runs, [
    { head: 'runtime', cell: runtimeName },
    { head: 'class', cell: statusText },
    { head: 'path', cell: (run) => pathText(run, words) },
    { head: 'bytes', cell: (run) => bytesText(run) ?? '' },
  ]);
