/** The check: its sum, a row for each cause, what to do, what changed and which limits are kept. */
import type { CheckReport, ComparedFacts, Comparison, LimitResult } from '../../../model/documents/check.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { block, fold, heading, list, type Node, type Printed, tableNode, text } from '../../doc.ts';
import { columnsOf, known } from '../../section/model/columns.ts';
import { code, type Sentence, type Span, type StyledText, sentence } from '../../section/model/sentence.ts';
import { groupedBy } from '../../text/grouped.ts';
import { bytes, changeText, count, counted, measuredChange } from '../../text/numbers.ts';
import {
  causesOf,
  effectsOf,
  type Place,
  placeOf,
  problemsOf,
  resultsByPlace,
  severityOf,
  summaryText,
  targetOf,
  withoutIndices,
} from './check-results.ts';
import { effectText, fixesOf, whereText } from './limits.ts';

export function checkDocument(report: CheckReport, words: Wording): Printed {
  const { passed, results, failures } = report;
  const problems = problemsOf(results);
  const others = problems.filter(({ loosened }) => loosened === undefined);
  const sum = text([{ text: summaryText(report), tone: passed ? 'good' : 'bad', marked: true }]);
  const kept = keptItems(report);
  // A comparison with a commit names the places too.
  const isCompared = report.base !== undefined && (report.compared ?? []).length > 0;
  const isBrief = problems.length + failures.length === 0 && !isCompared;
  const failed = failures.map(({ payload, message }) => sentence`${markedName(payload, true)}: ${message}`);
  return {
    ...{ title: 'check', about: [], facts: [] },
    heading: headline(report, others),
    body: [
      ...block([sum, ...(isBrief ? list(kept) : [])]),
      ...list(failed),
      ...loosenedNodes(problems, report),
      ...causeTable(others, words),
      ...fixNodes(problems, words),
      ...comparedNodes(report),
      ...(isBrief ? [] : fold(null, ['Limits kept'], list(kept), !isCompared)),
    ],
  };
}

const markedName = (name: string, isError: boolean): StyledText => ({
  ...code(name),
  tone: isError ? 'bad' : 'fair',
  marked: true,
});

const isError = (result: LimitResult): boolean => severityOf(result) === 'error';

const distinctNames = (names: readonly string[]): Sentence =>
  [...new Set(names)].flatMap((name, at): Span[] => [...(at === 0 ? [] : [', ']), code(name)]);

/** "a, b on bun@1.4.5, node@24.0.0; c on node@24.0.0" */
function placesSentence(places: readonly Place[]): Sentence {
  const payloads = [...groupedBy(places, ({ payload }) => payload)].map(([payload, own]) => ({
    payload,
    targets: own.map(targetOf).filter((target) => target !== ''),
  }));
  const groups = groupedBy(payloads, ({ targets }) => targets.join(', '));
  return [...groups.values()].flatMap((group, at): Span[] => {
    const { targets } = group[0]!;
    return [
      ...(at === 0 ? [] : ['; ']),
      ...distinctNames(group.map(({ payload }) => payload)),
      ...(targets.length === 0 ? [] : [' on ', ...distinctNames(targets)]),
    ];
  });
}

const MAX_EFFECTS = 3;

/** "api on node@20: +303 % time, 27.0 kB → 108 kB, and 2 more payloads"; another sentence if all limits are kept. */
function headline({ passed }: CheckReport, problems: readonly LimitResult[]): Sentence {
  const [first] = passed ? problems : problems.filter(isError);
  if (first === undefined) return [passed ? 'all limits are kept' : 'not all payloads could be checked'];
  const own = problems.filter((result) => placeOf(result) === placeOf(first));
  const more = new Set(problems.map(({ payload }) => payload)).size - 1;
  const effect = [...new Set(own.map(effectText))].slice(0, MAX_EFFECTS).join(', ');
  return sentence`${placesSentence([first])}: ${effect}${more > 0 ? `, and ${counted(more, 'more payload')}` : ''}`;
}

/** Requirements that the config loosens: a reviewer decides by these rows. */
function loosenedNodes(problems: readonly LimitResult[], { base }: CheckReport): Node[] {
  const rows = problems.flatMap((result) => (result.loosened ? [{ result, ...result.loosened }] : []));
  if (rows.length === 0) return [];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ result }) => markedName(placeOf(result), isError(result)) },
    { head: 'demands less', cell: ({ what }) => what },
    { head: 'before', cell: ({ from }) => code(from) },
    { head: 'now', cell: ({ to, result }) => (to === null ? goneText(result) : code(to)) },
  ]);
  const side = base ? code(base.ref) : 'the baseline';
  return block([
    text(sentence`The config demands less than that of ${side}:`),
    ...tableNode('Demands', columns, { hasLongCells: true }),
  ]);
}

const goneText = (result: LimitResult) =>
  isError(result) ? 'gone' : 'gone, as "removed" of the config says';

function causeTable(problems: readonly LimitResult[], words: Wording): Node[] {
  const columns = columnsOf(causesOf(problems), [
    { head: 'payload', cell: (group) => markedName(placeOf(group[0]!), group.some(isError)) },
    { head: 'cause', cell: (group) => causeCell(group, words) },
    { head: 'effect', cell: (group) => effectsOf(group).map(effectOf(group)).join('; ') },
  ]);
  return tableNode('Causes', columns, { hasLongCells: true });
}

/** Texts of the places of a cause. A text is left out if a longer text for the same path contains it. */
function causeCell(group: readonly LimitResult[], words: Wording): Span {
  const all = [...new Set(group.flatMap((one) => whereText(one, words) ?? []))];
  const holds = (text: string, other: string) =>
    other.length > text.length && withoutIndices(other).startsWith(withoutIndices(text));
  const longest = all.filter((one) => !all.some((other) => holds(one, other)));
  return longest.length === 0 ? '' : code(longest.join('; '));
}

/** "class, lossy (warning): not measured: ..."; warnings are only marked if the row also has an error. */
function effectOf(group: readonly LimitResult[]) {
  const hasError = group.some(isError);
  return ({ fact, results }: ReturnType<typeof effectsOf>[number]): string => {
    const names = results.map((one) => `${one.limit}${hasError && !isError(one) ? ' (warning)' : ''}`);
    return `${[...new Set(names)].join(', ')}: ${fact}`;
  };
}

/** One list item per set of payloads and limits: advice, then how to accept an intended change. */
function fixNodes(problems: readonly LimitResult[], words: Wording): Node[] {
  const fixes = problems
    .flatMap((result) => fixesOf(result, words).map((fix, rank) => ({ ...result, fix, rank })))
    .sort((a, b) => a.rank - b.rank);
  const rows = [...groupedBy(fixes, ({ fix }) => JSON.stringify(fix)).values()].map((group) => {
    const payloads = distinctNames(group.map(({ payload }) => payload));
    const limits = distinctNames(group.map(({ limit }) => limit));
    return { of: sentence`${payloads} (${limits}):`, fix: group[0]!.fix };
  });
  const items = [...groupedBy(rows, ({ of }) => JSON.stringify(of)).values()].map(
    (same): Sentence => [...same[0]!.of, ...same.flatMap(({ fix }) => [' ', ...fix])],
  );
  return items.length === 0 ? [] : block([heading(['What to do']), ...list(items)]);
}

function comparedNodes({ base, compared = [] }: CheckReport): Node[] {
  if (!base || compared.length === 0) return [];
  const changed = compared.filter(hasChanged);
  const same = compared.filter((one) => !hasChanged(one));
  const columns = columnsOf(changed, [
    { head: 'payload', cell: (one) => code(placeOf(one)) },
    { head: 'class', cell: ({ before, now }) => fromTo(before?.class ?? null, now?.class ?? null) },
    { head: 'bytes', cell: (one) => amounts(one, ({ bytes: size }) => size, bytes) },
    { head: 'values', cell: (one) => amounts(one, ({ nodes }) => nodes, count) },
    { head: 'time', cell: ({ time }) => (time ? measuredChange(time.change, time) : '') },
  ]);
  if (changed.length === 0)
    return [text(sentence`Unchanged since ${code(base.ref)}: ${placesSentence(same)}`)];
  return block([
    text(sentence`Since ${code(base.ref)}:`),
    ...tableNode('Compared', columns, { hasLongCells: true }),
    ...(same.length === 0 ? [] : [text(['Unchanged: ', ...placesSentence(same)])]),
  ]);
}

const hasChanged = ({ before, now, time }: Comparison): boolean =>
  time !== undefined || JSON.stringify(before) !== JSON.stringify(now);

function fromTo(before: string | null, now: string | null): string {
  if (before === null) return `new: ${now}`;
  if (now === null) return `was ${before}`;
  return before === now ? now : `${before} → ${now}`;
}

function amounts(
  { before, now }: Comparison,
  of: (facts: ComparedFacts) => number | null,
  write: (value: number) => string,
): string {
  const [was, is] = [before, now].map((side) => side && of(side));
  const shown = (side: ComparedFacts | null) => (side === null ? null : known(of(side), write) || 'unknown');
  const change = was && is && was !== is ? `, ${changeText(is / was)}` : '';
  return `${fromTo(shown(before), shown(now))}${change}`;
}

/** Kept limits: one list item for each set of limits. */
function keptItems({ results }: CheckReport): Sentence[] {
  const kept = resultsByPlace(results.filter((result) => severityOf(result) === null)).values();
  const byLimits = groupedBy([...kept], (passed) =>
    [...new Set(passed.map(({ limit }) => limit))].join(', '),
  );
  return [...byLimits].map(
    ([limits, places]) => sentence`${placesSentence(places.map(([first]) => first!))}: ${limits}`,
  );
}

/** `from` is null for an addition, `to` for a removal. */
type ShownChange = Record<'payload' | 'what', string> & Record<'runtime' | 'from' | 'to', string | null>;

/** Output of `clone-prof baseline`: changes of the facts in the file. */
export function baselineNodes(file: string, changes: readonly ShownChange[]): Node[] {
  if (changes.length === 0) return [heading([`${file}: nothing changed.`])];
  return block([heading([`${file}:`]), ...list(changes.map((change) => [baselineChange(change)]))]);
}

function baselineChange({ payload, runtime, what, from, to }: ShownChange): string {
  const place = runtime === null ? payload : `${payload} on ${runtime}`;
  if (what === 'payload' || what === 'runtime') return `${to === null ? '-' : '+'} ${place}`;
  if (what === 'sample') {
    return `${place}: ${to === null ? 'its copy is no longer kept' : from === null ? 'a copy is kept' : 'payload changed'}`;
  }
  if (what === 'demands') return `${place}: stored requirements of the config are updated`;
  if (from === null) return `${place}: new ${what}: ${to}`;
  return to === null ? `${place}: ${what} removed: ${from}` : `${place}: ${what} ${from} → ${to}`;
}
