import type { Run } from '../model/documents/report.ts';
import type { RuntimeName } from '../model/names.ts';
import type { Wording } from '../model/report/wording.ts';
import { type Column, columnsOf } from '../reporters/section/model/columns.ts';
import { runtimeName } from '../reporters/section/model/run-groups.ts';
import { listed, type StyledText } from '../reporters/section/model/sentence.ts';
import { CLASS_TEXTS } from '../reporters/section/model/texts.ts';
import { statusText } from '../reporters/section/model/verdict.ts';
import { bytesText } from '../reporters/section/payload.ts';
import { groupedBy } from '../reporters/text/grouped.ts';

/** "simple-object: flat object"; a payload that is refused takes none. */
function pathText({ runtime, verdict }: Run, words: Wording): string {
  if (verdict === null || verdict.path === 'rejected') return '';
  const title = words.paths[runtime.engine][verdict.path]?.title;
  return title === undefined || title === verdict.path ? verdict.path : `${verdict.path}: ${title}`;
}

/** "Bun: copied in memory, without the serializer. Node, Deno and Chromium: written out and read back, value by value." */
export function differenceSentences(runs: readonly Run[]): string {
  const groups = [...groupedBy(runs, effectOf)].sort(([, a], [, b]) => a.length - b.length);
  if (groups.length === 1) return `All engines do the same: ${groups[0]?.[0]}.`;
  return groups
    .map(([effect, own]) => `${listed(own.map(({ runtime }) => TITLES[runtime.name]))}: ${effect}.`)
    .join(' ');
}

const effectOf = ({ verdict }: Run): string => (verdict === null ? 'not known' : CLASS_TEXTS[verdict.class]);

const TITLES: Readonly<Record<RuntimeName, string>> = {
  ...{ node: 'Node', bun: 'Bun', deno: 'Deno', electron: 'Electron', workerd: 'workerd' },
  ...{ chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' },
};

/** What each engine does with a payload, where nothing was timed. */
export const sideBySide = (runs: readonly Run[], words: Wording): Column[] =>
  columnsOf(runs, [
    { head: 'runtime', cell: runtimeName },
    { head: 'class', cell: classCell },
    { head: 'bytes', cell: (run) => bytesText(run) ?? '' },
    { head: 'path', cell: (run) => pathText(run, words) },
  ]);

/** The ordinary case is no alarm. */
function classCell(run: Run): StyledText {
  const { text, ...style } = statusText(run);
  return text === 'serialized' ? { text } : { text, ...style };
}
