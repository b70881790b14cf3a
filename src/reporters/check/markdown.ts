/** The check for a pull request or a job summary: the effect, a row for each cause, and the fixes. */
import type { CheckReport, Comparison, LimitResult } from '../../model/documents/check.ts';
import type { Reporter } from '../../model/report/render-options.ts';
import type { Wording } from '../../model/report/wording.ts';
import { cellText, codeSpan, prose, sentenceText, table } from '../markdown/spans.ts';
import { columnsOf } from '../section/model/columns.ts';
import { code, type Sentence } from '../section/model/sentence.ts';
import { joinBlocks } from '../text/blocks.ts';
import { groupedBy } from '../text/grouped.ts';
import { bytes, counted } from '../text/numbers.ts';
import { comparedCells, factText, hasChanged } from './facts.ts';
import {
  fixSentence,
  placeOf,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  whereText,
} from './texts.ts';

export const checkMarkdown: Reporter<CheckReport> = (report, _options, words) => {
  const problems = problemsOf(report.results);
  const others = problems.filter(({ loosened }) => loosened === undefined);
  return joinBlocks([
    [`### ${report.passed ? '✅' : '❌'} clone-prof: ${headline(report, others)}`],
    [prose(summaryText(report))],
    report.failures.map(({ payload, message }) => `- ❌ ${cellText(code(payload))}: ${prose(message)}`),
    ...loosenedBlocks(problems, report, words),
    others.length === 0 ? [] : causeTable(others, words),
    fixLines(others, words),
    comparedTable(report),
    keptLines(report),
  ]);
};

const severest = (group: readonly LimitResult[]) =>
  group.some((result) => severityOf(result) === 'error') ? '❌' : '⚠️';

/** "`rows` on `bun@1.4.5`" */
function placeSentence({ payload, runtime, channel }: LimitResult): Sentence {
  const over = channel === 'worker' || runtime === '' ? [] : [' over ', code(channel)];
  return [code(payload), ...(runtime === '' ? [] : [' on ', code(runtime)]), ...over];
}

/** "`api` on `node@20`: +303 % time, 27.0 kB → 108 kB, and 2 more payloads"; another sentence if all limits are kept. */
function headline({ passed }: CheckReport, problems: readonly LimitResult[]): string {
  const errors = problems.filter((result) => severityOf(result) === 'error');
  const [first] = passed ? problems : errors;
  if (first === undefined) return passed ? 'all limits are kept' : 'not all payloads could be checked';
  const own = problems.filter((result) => placeOf(result) === placeOf(first));
  const more = new Set(problems.map(({ payload }) => payload)).size - 1;
  const effect = prose(own.slice(0, MAX_EFFECTS).map(effectText).join(', '));
  return `${sentenceText(placeSentence(first))}: ${effect}${more > 0 ? `, and ${counted(more, 'more payload')}` : ''}`;
}

const MAX_EFFECTS = 3;

/** Finding of a limit, without the limit itself: "in-memory → serialized", "46 B → 62 B". */
function effectText(result: LimitResult): string {
  const { limit, was, actual, outcome } = result;
  if (outcome === 'unmatched') return factText(result).split('. ')[0]!;
  if (outcome !== 'failed' && outcome !== 'unsure') return `${limit} ${factText(result)}`;
  if (limit === 'maxBytes' && typeof was === 'number' && typeof actual === 'number')
    return `${bytes(was)} → ${bytes(actual)}`;
  if (limit === 'class' && was !== null && actual !== null) return `${was} → ${actual}`;
  const [found = ''] = factText(result).split(', limit ');
  return limit === 'time' || limit === 'memory' ? `${found} ${limit}` : `${limit} ${found}`;
}

/** Requirements that the config loosens: a reviewer decides by these rows. */
function loosenedBlocks(problems: readonly LimitResult[], { base }: CheckReport, words: Wording): string[][] {
  const rows = problems.flatMap((result) => (result.loosened ? [{ result, ...result.loosened }] : []));
  if (rows.length === 0) return [];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ result }) => `${severest([result])} ${placeOf(result)}` },
    { head: 'demands less', cell: ({ what }) => what },
    { head: 'before', cell: ({ from }) => code(from) },
    { head: 'now', cell: ({ to }) => (to === null ? 'gone' : code(to)) },
  ]);
  const side = base ? cellText(code(base.ref)) : 'the baseline';
  const all = rows.map(({ result }) => result);
  return [[`The config demands less than that of ${side}:`, '', ...table(columns)], fixesOf(all, words)];
}

/** Of one place, limits that are broken at the same path have one cause, whatever the index. */
const causeOf = (result: LimitResult): string =>
  JSON.stringify([placeOf(result), result.path?.replace(/\[\d+\]/g, '[*]') ?? result.limit]);

function causeTable(problems: readonly LimitResult[], words: Wording): string[] {
  const causes = [...groupedBy(problems, causeOf).values()];
  const rows = causes.map((group) => {
    const [first] = group as [LimitResult];
    const where = group.map((one) => whereText(one, words)).find((text) => text?.includes(': '));
    const cause = where ?? whereText(first, words);
    const effects = group.map((one) => prose(`${one.limit}: ${factText(one)}`));
    const cells = [
      `${severest(group)} ${placeSentence(first).map(cellText).join('')}`,
      cause === null ? ' ' : cellText(code(cause)),
      effects.join('; '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| payload | cause | effect |', '| --- | --- | --- |', ...rows];
}

function comparedTable({ base, compared = [] }: CheckReport): string[] {
  if (!base || compared.length === 0) return [];
  const changed = compared.filter(hasChanged);
  const rest = compared.filter((one) => !hasChanged(one));
  const same = rest.length === 0 ? [] : [`Unchanged: ${prose(rest.map(placeOf).join(', '))}`];
  const since = `Since ${cellText(code(base.ref))}:`;
  if (changed.length === 0) return [since, '', ...same];
  const columns = columnsOf(changed, [
    { head: 'payload', cell: placeOf },
    ...(['class', 'bytes', 'values', 'time'] as const).map((head) => ({
      head,
      cell: (one: Comparison) => comparedCells(one)[head],
    })),
  ]);
  return [since, '', ...table(columns), ...(same.length === 0 ? [] : ['', ...same])];
}

function fixesOf(problems: readonly LimitResult[], words: Wording): string[] {
  const fixes = new Set(problems.map((result) => sentenceText(fixSentence(result, words))));
  return [...fixes].filter((fix) => fix !== '');
}

/** One line for each payload and advice; a limit that could be raised is named as in the config. */
function fixLines(problems: readonly LimitResult[], words: Wording): string[] {
  const byFix = groupedBy(problems, (result) => sentenceText(fixSentence(result, words)));
  const lines = [...byFix].flatMap(([fix, group]) => {
    if (fix === '') return [];
    const payloads = [...new Set(group.map(({ payload }) => codeSpan(payload)))];
    const keys = [...new Set(group.map(({ limit }) => codeSpan(limit)))];
    return [`- ${payloads.join(', ')} (${keys.join(', ')}): ${fix}`];
  });
  return lines.length === 0 ? [] : ['**What to do**', '', ...lines];
}

function keptLines({ results }: CheckReport): string[] {
  const kept = resultsByPlace(results.filter((result) => severityOf(result) === null));
  if (kept.size === 0) return [];
  const lines = [...kept].map(([place, passed]) => {
    const limits = new Set(passed.map(({ limit }) => limit));
    return `- ${prose(place)}: ${prose([...limits].join(', '))}`;
  });
  return ['<details><summary>Limits kept</summary>', '', ...lines, '', '</details>'];
}
