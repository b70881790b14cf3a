/** The check: its sum, a row for each cause, what to do, what changed and which limits are kept. */

import type { CheckReport, ComparedFacts, Comparison, LimitResult } from '../../model/documents/check.ts';
import type { Checked } from '../../model/gate/limits.ts';
import { known } from '../columns.ts';
import type { Node, Printed } from '../doc.ts';
import { type Body, block, fold, heading, list, nodesOf, tableOf, text } from '../nodes.ts';
import { groupedBy } from '../text/groups.ts';
import { bytes, changeText, count, counted, measuredChange, speed } from '../text/numbers.ts';
import { code, type Span, type StyledText, sentence, sentenceOf, separated, type Words } from '../words.ts';
import {
  causesOf,
  effectText,
  factText,
  fixesOf,
  isError,
  isLimit,
  type Place,
  pendingEnd,
  placeOf,
  problemsOf,
  severityOf,
  summaryText,
  targetOf,
  whereText,
} from './limits.ts';

export function checkDocument(report: CheckReport): Printed {
  const { passed, results, failures, base, compared = [], pending = [] } = report;
  const problems = problemsOf(results);
  const sum = text({ text: summaryText(report), tone: passed ? 'good' : 'bad', marked: true });
  const kept = list(keptItems(report));
  // A comparison with a commit names the places too.
  const isCompared = base !== undefined && compared.length > 0;
  const isBrief = problems.length + failures.length + pending.length === 0 && !isCompared;
  return {
    ...{ title: 'check', facts: [] },
    heading: sentenceOf(headline(report, problems)),
    body: nodesOf([
      block([sum, isBrief && kept]),
      list(
        failures.map(({ payload, message }) => [
          markedName(payload, true),
          `: ${message.startsWith(`${payload}: `) ? message.slice(payload.length + 2) : message}`,
        ]),
      ),
      causeTable(problems),
      fixNodes(problems, report),
      pendingNodes(report),
      isCompared && comparedNodes(base.ref, compared),
      !isBrief && fold(null, 'Limits kept', kept, !isCompared),
    ]),
  };
}

const markedName = (name: string, isError: boolean): StyledText => ({
  ...{ ...code(name), tone: isError ? 'bad' : 'fair', marked: true },
});

const distinctNames = (names: readonly string[]): Words => separated([...new Set(names)].map(code), ', ');

/** "a, b on bun@1.4.5, node@24.0.0; c on node@24.0.0" */
function placesWords(places: readonly Place[]): Words {
  const payloads = groupedBy(places, ({ payload }) => payload).map(([payload, own]) => ({
    payload,
    targets: own.map(targetOf).filter((target) => target !== ''),
  }));
  const groups = groupedBy(payloads, ({ targets }) => targets).map(
    ([targets, group]): Words => [
      distinctNames(group.map(({ payload }) => payload)),
      targets.length > 0 && [' on ', distinctNames(targets)],
    ],
  );
  return separated(groups, '; ');
}

const MAX_EFFECTS = 3;

/** Limits that a headline omits if others are broken too, which say what that costs. */
const MINOR: readonly Checked[] = ['maxNodes', 'maxDepth', 'maxAmplification', 'transfer'];

/** "api on node@20: 4.0x slower, 27.0 kB → 108 kB, and 2 more payloads"; another sentence if all limits are kept. */
function headline(
  { passed, compared = [], pending = [] }: CheckReport,
  problems: readonly LimitResult[],
): Words {
  const [first] = passed ? problems : problems.filter(isError);
  if (first === undefined && !passed) return 'not all payloads could be checked';
  if (first === undefined)
    return `all limits are kept${pending.length > 0 ? ', and the config changes some' : ''}`;
  const isHere = (one: Place) => placeOf(one) === placeOf(first);
  const more = new Set(problems.map(({ payload }) => payload)).size - 1;
  const times = compared
    .filter(isHere)
    .map(({ time }) => (time ? speed({ ratio: time.change, ...time }) : ''));
  const own = problems.filter(isHere);
  const major = own.filter(({ limit }) => !MINOR.includes(limit));
  const slower = times.filter((text) => text.endsWith('slower'));
  const all = [...slower, ...(major.length > 0 ? major : own).map(effectText)];
  const effects = [...new Set(all)].slice(0, MAX_EFFECTS);
  return [
    first.runtime === '' ? code(placeOf(first)) : placesWords([first]),
    `: ${effects.join(', ')}`,
    more > 0 && `, and ${counted(more, 'more payload')}`,
  ];
}

/** Changes of the config that do not hold yet: a reviewer decides by these rows. */
function pendingNodes(report: CheckReport): Body {
  const { pending = [], base } = report;
  const table = tableOf('Changes of the config', pending, [
    { head: 'payload', cell: ({ payload }) => code(payload) },
    { head: 'setting', cell: ({ what }) => what },
    { head: 'before', cell: ({ from }) => code(from) },
    { head: 'now', cell: ({ to }) => code(to) },
  ]);
  const side = base ? code(base.ref) : 'the baseline';
  return (
    table &&
    block([
      text(sentence`The config changes what ${side} demands, which holds until ${pendingEnd(report)}:`),
      table,
    ])
  );
}

const causeTable = (problems: readonly LimitResult[]): Body =>
  tableOf('Causes', causesOf(problems), [
    { head: 'payload', cell: (group) => markedName(placeOf(group[0]), group.some(isError)) },
    { head: 'cause', cell: (group) => causeCell(group) },
    { head: 'effect', cell: effectsText },
  ]);

/** Places of a cause. A place without a rule is left out if another result of the cause has one. */
function causeCell(group: readonly LimitResult[]): Span {
  const ruled = group.filter(({ rule }) => rule !== null);
  const all = new Set((ruled.length > 0 ? ruled : group).flatMap((one) => whereText(one) ?? []));
  return all.size === 0 ? '' : code([...all].join('; '));
}

/** "class, lossy (warning): not measured: ..."; warnings are only marked if the row also has an error. */
function effectsText(group: readonly LimitResult[]): string {
  const hasError = group.some(isError);
  const effects = groupedBy(group, factText).map(([fact, results]) => {
    // A payload of one side alone has no limit.
    const names = results.flatMap((one) =>
      isLimit(one) ? `${one.limit}${hasError && !isError(one) ? ' (warning)' : ''}` : [],
    );
    return [[...new Set(names)].join(', '), fact].filter(Boolean).join(': ');
  });
  return effects.join('; ');
}

function fixNodes(problems: readonly LimitResult[], report: CheckReport): Body {
  const fixes = fixesOf(causesOf(problems), report);
  const rows = groupedBy(fixes, ({ words }) => words).map(([words, group]) => {
    const results = group.flatMap(({ of }) => of);
    const payloads = distinctNames(results.map(({ payload }) => payload));
    const limits = distinctNames(results.filter(isLimit).map(({ limit }) => limit));
    return { of: [payloads, results.some(isLimit) && [' (', limits, ')'], ':'], words };
  });
  const items = groupedBy(rows, ({ of }) => sentenceOf(of)).map(
    ([of, same]): Words => [of, same.map(({ words }) => [' ', words])],
  );
  return items.length > 0 && block([heading('What to do'), list(items)]);
}

function comparedNodes(ref: string, compared: readonly Comparison[]): Body {
  const changed = compared.filter(hasChanged);
  const same = placesWords(compared.filter((one) => !hasChanged(one)));
  return block([
    changed.length > 0 && text(sentence`Changed since ${code(ref)}:`),
    tableOf('Compared', changed, [
      { head: 'payload', cell: (one) => code(placeOf(one)) },
      { head: 'class', cell: ({ before, now }) => fromTo(before?.class ?? null, now?.class ?? null) },
      { head: 'bytes', cell: (one) => amountsText(one, ({ bytes: size }) => size, bytes) },
      { head: 'values', cell: (one) => amountsText(one, ({ nodes }) => nodes, count) },
      { head: 'time', cell: ({ time }) => (time ? measuredChange(time.change, time) : '') },
    ]),
    changed.length < compared.length && text(sentence`Unchanged since ${code(ref)}: ${same}`),
  ]);
}

const hasChanged = ({ before, now, time }: Comparison): boolean =>
  time !== undefined || JSON.stringify(before) !== JSON.stringify(now);

function fromTo(before: string | null, now: string | null): string {
  if (before === null) return `new: ${now}`;
  if (now === null) return `was ${before}`;
  return before === now ? now : `${before} → ${now}`;
}

function amountsText(
  { before, now }: Comparison,
  of: (facts: ComparedFacts) => number | null,
  write: (value: number) => string,
): string {
  const [was, is] = [before, now].map((side) => side && of(side));
  const shown = (side: ComparedFacts | null) => (side === null ? null : known(of(side), write) || 'unknown');
  const change = was && is && was !== is ? `, ${changeText(is / was)}` : '';
  return `${fromTo(shown(before), shown(now))}${change}`;
}

function keptItems({ results }: CheckReport): Words[] {
  const kept = results.filter((result) => severityOf(result) === null);
  const places = groupedBy(kept, placeOf).map(([, [first, ...others]]) => ({
    first,
    limits: [...new Set([first, ...others].map(({ limit }) => limit))].join(', '),
  }));
  return groupedBy(places, ({ limits }) => limits).map(([limits, group]) => [
    placesWords(group.map(({ first }) => first)),
    `: ${limits}`,
  ]);
}

/** Output of `clone-prof baseline`: changes of the facts in the file. */
export const baselineNodes = (file: string, changes: readonly string[]): Node[] =>
  nodesOf(
    changes.length === 0
      ? heading(`${file}: nothing changed.`)
      : block([heading(`${file}:`), list(changes.map((change) => [change]))]),
  );
