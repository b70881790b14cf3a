/** The texts of a check, the same for all formats. Nothing is escaped yet. */

import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { Checked, LimitOutcome } from '../../model/gate/limits.ts';
import type { Wording } from '../../model/report/wording.ts';
import { code, type Sentence } from '../section/model/sentence.ts';
import { groupedBy } from '../text/grouped.ts';
import { counted } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { factText } from './facts.ts';

export const LIMIT_WORDS = {
  class: 'The engine takes a path of this class or a better one.',
  maxBytes: 'The message has at most this many bytes.',
  maxNodes: 'The payload holds at most this many values.',
  maxDepth: 'The payload has at most this many levels.',
  maxAmplification: 'At most this many bytes are copied for each byte that is needed.',
  lossy: 'Every value arrives unchanged.',
  rejected: 'Every value can be cloned.',
  transfer: 'Every buffer that can be transferred is on the transfer list.',
  time: 'The round trip takes at most this much longer than that of the payload in the baseline.',
  memory: 'Peak memory grows at most this much over that of the payload in the baseline.',
  remedies: 'Every rewrite of the config gives back an equal payload.',
  codec: 'The codec of the config fits the payload, gives it back equal, and is made of its schema.',
  baseline: 'Every payload is in the baseline, and everything in the baseline is checked.',
  config: 'The config demands at least what that of the other commit does.',
} as const satisfies Record<Checked, string>;

/** Advice for limits that no rule stands behind. */
const FIXES = {
  class: null,
  maxBytes: 'Post less data, or raise the limit.',
  maxNodes: 'Post fewer values, or raise the limit.',
  maxDepth: 'Flatten it, or raise the limit.',
  maxAmplification: 'Post a copy of only the part that is needed: view.slice().',
  lossy: null,
  rejected: null,
  transfer: 'List the buffer when posting, and its path under "transfer" in the config.',
  time: 'Find the part that costs most: clone-prof analyze FILE --by-path.',
  memory: 'Post less at once, or raise the limit.',
  remedies: 'Change the rewrite, or name it under "remedies" of other payloads.',
  codec: 'If the payload is right: clone-prof check --fix-codec writes the codec anew.',
  baseline: null,
  config: null,
} as const satisfies Record<Checked, string | null>;

/** What is typed or copied is code: a format may break up other text. */
function acceptSentence({ against, outcome, limit, level }: LimitResult): Sentence {
  const told = (...how: Sentence) => ['If it is intended: ', ...how, '.'];
  const inBase = ' in the config of the other commit';
  if (against === 'base' && limit === 'config')
    return told('merge the change of the config on its own. It counts as soon as the other commit has it');
  if (against === 'base' && outcome === 'unmatched')
    return level === 'error' ? told(code('"new": "ok"'), inBase) : [];
  if (against === 'base') return told('change the limit in the config');
  // Limits that are measured need the copy of the payload too.
  const samples = limit === 'time' || limit === 'memory' ? ' --samples' : '';
  return against === null ? [] : told(code(`clone-prof check --accept${samples}`));
}

export type Severity = 'error' | 'warning';

export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' ? 'error' : 'warning';
}

export function problemsOf(results: readonly LimitResult[]): LimitResult[] {
  const of = (severity: Severity) => results.filter((result) => severityOf(result) === severity);
  return [...of('error'), ...of('warning')];
}

type Place = Pick<LimitResult, 'payload' | 'runtime' | 'channel'>;

export const placeOf = ({ payload, runtime, channel }: Place): string =>
  runtime === '' ? payload : `${payload} on ${runtime}${channel === 'worker' ? '' : ` over ${channel}`}`;

export const resultsByPlace = (results: readonly LimitResult[]): Map<string, LimitResult[]> =>
  groupedBy(results, placeOf);

/** "$[*].geo: object inside an object, and 2 more places"; null where no place is known. */
export function whereText(result: LimitResult, words: Wording): string | null {
  const { limit, path, example, rule, reason, outcome } = result;
  if (path === null) return null;
  // "$.rows[*].note is new"
  if (limit === 'codec') return `${foldedPath(path)} ${reason}`;
  const title = rule === null ? null : (words.rules[rule]?.title ?? rule);
  const first = example === null || example === path ? '' : ` (first: ${foldedPath(example)})`;
  const more = outcome === 'failed' && reason !== undefined ? `, ${reason}` : '';
  return `${foldedPath(path)}${first}${title === null ? '' : `: ${title}`}${more}`;
}

/** The rule's own advice, the rewrites for it, and how to keep the change if it is meant. */
export function fixSentence(result: LimitResult, words: Wording): Sentence {
  const { limit, rule, file, outcome } = result;
  if (outcome === 'unmatched') return acceptSentence(result);
  if (outcome === 'unsure' && result.level === 'error' && result.ci !== undefined)
    return ['If it may pass: ', code('"undecided": "warn"'), ' in the config.'];
  if (outcome !== 'failed') return [];
  if (result.varies !== undefined) return ['Make the same value at each call and on each machine.'];
  const row = rule === null ? undefined : words.rules[rule];
  const rewrites = row?.remedies ?? [];
  const proved = `clone-prof analyze ${file ?? ''} proves and times`.replace('  ', ' ');
  const tried = rewrites.length === 0 ? null : `${proved} ${rewrites.join(', ')}.`;
  const fix = row?.fix ?? FIXES[limit]?.replace('FILE', () => file ?? '') ?? null;
  const advice = [fix, tried].filter((text) => text !== null).join(' ');
  const accept = acceptSentence(result);
  return [advice, advice !== '' && accept.length > 0 ? ' ' : '', ...accept].filter((span) => span !== '');
}

export const fixText = (result: LimitResult, words: Wording): string | null =>
  fixSentence(result, words)
    .map((span) => (typeof span === 'string' ? span : span.text))
    .join('') || null;

export function sentence(result: LimitResult, words: Wording): string {
  const where = whereText(result, words);
  const fix = fixText(result, words);
  const joint = result.limit === 'codec' ? ': ' : ' at ';
  return `${result.limit}: ${factText(result)}${where === null ? '' : joint + where}.${fix === null ? '' : ` ${fix}`}`;
}

export function summaryText(report: CheckReport): string {
  const { shard, unchecked } = report;
  const part = shard === null ? '' : `Shard ${shard.index} of ${shard.count}: `;
  const others = new Set(unchecked.filter(({ selected }) => !selected).map(({ payload }) => payload)).size;
  const rest = others === 0 ? '' : ` Not asked for: ${counted(others, 'payload')} of the baseline.`;
  return `${part}${outcomeText(report)}${rest}`;
}

/** Differences between two sides are told as such. */
const isLimit = ({ limit }: LimitResult) => limit !== 'baseline' && limit !== 'config';

function outcomeText({ results, failures, base }: CheckReport): string {
  const sides = base ? `${base.ref} and now` : 'baseline and payloads';
  const errors = results.filter((result) => severityOf(result) === 'error');
  const limits = results.filter(isLimit).length;
  const ended = (outcome: LimitOutcome, text: (count: number) => string) => {
    const count = errors.filter((result) => result.outcome === outcome).length;
    return count > 0 ? [text(count)] : [];
  };
  const warnings = results.filter((result) => severityOf(result) === 'warning');
  const warned = warnings.length > 0 ? [counted(warnings.length, 'warning')] : [];
  const parts = [
    ...ended('failed', (broken) => `${broken} of ${counted(limits, 'limit')} broken`),
    ...ended('unmatched', (count) => `${counted(count, 'difference')} between ${sides}`),
    ...ended('not-measured', (count) => `${counted(count, 'limit')} not measured`),
    ...ended('unsure', (count) => `${counted(count, 'limit')} undecided`),
    ...(failures.length > 0 ? [`${counted(failures.length, 'payload')} not loaded`] : []),
    ...warned,
  ];
  if (results.length === 0 && failures.length === 0) return 'Nothing was checked: no limit applies.';
  if (errors.length + failures.length > 0) return `${parts.join(', ')}.`;
  const kept = limits - warnings.filter(isLimit).length;
  return `${[`${counted(kept, 'limit')} kept`, ...warned].join(', ')}.`;
}

/**
 * Problems with the same reason form one group: a missing runtime leaves every limit unmeasured. So does all that does not fit
 * one codec.
 */
export function problemGroups(problems: readonly LimitResult[]): LimitResult[][] {
  const groups = groupedBy(problems, (result) => {
    const { limit, written, path, actual, outcome, varies, reason = varies } = result;
    const severity = severityOf(result);
    if (path === null && reason !== undefined) return JSON.stringify([reason, actual, outcome, severity]);
    return JSON.stringify(limit === 'codec' ? [limit, written, severity] : problems.indexOf(result));
  });
  return [...groups.values()];
}
