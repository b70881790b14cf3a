/** The texts of a check, the same for all formats. Nothing is escaped yet. */

import type { CheckReport, LimitResult } from '../../model/documents/check.ts';
import type { Checked, LimitOutcome } from '../../model/gate/check.ts';
import type { Wording } from '../../model/report/wording.ts';
import { groupedBy } from '../text/grouped.ts';
import { counted } from '../text/numbers.ts';
import { factText } from './facts.ts';

export { factText };

/** The requirement of each limit. */
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

/** How to keep a change that is meant. */
function acceptText({ against, outcome, limit, level, accept }: LimitResult): string | null {
  if (accept !== undefined)
    return `If it is intended: --accept-config ${accept}, or "accept": ["${accept}"] in the config of the other commit.`;
  if (against === 'base') {
    if (outcome === 'unmatched' && level !== 'error') return null;
    return outcome === 'unmatched'
      ? 'If it is intended: "new": "ok" in the config of the other commit.'
      : 'If it is intended: change the limit in the config.';
  }
  if (against === null) return null;
  // Limits that are measured need the copy of the payload too.
  return `If it is intended: clone-prof check --accept${limit === 'time' || limit === 'memory' ? ' --samples' : ''}.`;
}

export type Severity = 'error' | 'warning';

/** Null for a limit that passed. */
export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' ? 'error' : 'warning';
}

/** Errors first, then warnings, each in the order of the report. */
export function problemsOf(results: readonly LimitResult[]): LimitResult[] {
  const of = (severity: Severity) => results.filter((result) => severityOf(result) === severity);
  return [...of('error'), ...of('warning')];
}

export const placeOf = ({
  payload,
  runtime,
  channel,
}: Pick<LimitResult, 'payload' | 'runtime' | 'channel'>): string =>
  runtime === '' ? payload : `${payload} on ${runtime}${channel === 'worker' ? '' : ` over ${channel}`}`;

/** Results of one payload on one runtime, by place. */
export const resultsByPlace = (results: readonly LimitResult[]): Map<string, LimitResult[]> =>
  groupedBy(results, placeOf);

/** "$[*].geo: object inside an object, and 2 more places"; null where no place is known. */
export function whereText(
  { limit, path, example, rule, reason, outcome }: LimitResult,
  words: Wording,
): string | null {
  if (path === null) return null;
  // "$.rows[*].note is new"
  if (limit === 'codec') return `${path} ${reason}`;
  const title = rule === null ? null : (words.rules[rule]?.title ?? rule);
  const first = example === null || example === path ? '' : ` (first: ${example})`;
  const more = outcome === 'failed' && reason !== undefined ? `, ${reason}` : '';
  return `${path}${first}${title === null ? '' : `: ${title}`}${more}`;
}

/** The rule's own advice, the rewrites for it, and how to keep the change if it is meant. */
export function fixText(result: LimitResult, words: Wording): string | null {
  const { limit, rule, file, outcome } = result;
  if (outcome === 'unmatched') return acceptText(result);
  if (outcome === 'unsure' && result.level === 'error' && result.ci !== undefined)
    return 'If it may pass: "undecided": "warn" in the config.';
  if (outcome !== 'failed') return null;
  const row = rule === null ? undefined : words.rules[rule];
  const rewrites = row?.remedies ?? [];
  const proved = `clone-prof analyze ${file ?? ''} proves and times`.replace('  ', ' ');
  const tried = rewrites.length === 0 ? null : `${proved} ${rewrites.join(', ')}.`;
  const fix = row?.fix ?? FIXES[limit]?.replace('FILE', () => file ?? '') ?? null;
  return [fix, tried, acceptText(result)].filter((text) => text !== null).join(' ') || null;
}

/** Everything in one paragraph. */
export function sentence(result: LimitResult, words: Wording): string {
  const where = whereText(result, words);
  const fix = fixText(result, words);
  const joint = result.limit === 'codec' ? ': ' : ' at ';
  return `${result.limit}: ${factText(result)}${where === null ? '' : joint + where}.${fix === null ? '' : ` ${fix}`}`;
}

/** "Shard 1 of 4: 2 of 12 limits broken, 1 warning. Not asked for: 3 payloads of the baseline." */
export function summaryText(report: CheckReport): string {
  const { shard, unchecked } = report;
  const part = shard === null ? '' : `Shard ${shard.index} of ${shard.count}: `;
  const others = new Set(unchecked.filter(({ selected }) => !selected).map(({ payload }) => payload)).size;
  const rest = others === 0 ? '' : ` Not asked for: ${counted(others, 'payload')} of the baseline.`;
  return `${part}${outcomeText(report)}${rest}`;
}

function outcomeText({ results, failures, base }: CheckReport): string {
  const sides = base ? `${base.ref} and now` : 'baseline and payloads';
  const errors = results.filter((result) => severityOf(result) === 'error');
  const limits = results.filter(({ limit }) => limit !== 'baseline').length;
  const of = (outcome: LimitOutcome) => errors.filter((result) => result.outcome === outcome).length;
  const [broken, unmatched, unknown] = [of('failed'), of('unmatched'), of('not-measured')];
  const undecided = of('unsure');
  const warnings = results.filter((result) => severityOf(result) === 'warning');
  const warned = warnings.length > 0 ? [counted(warnings.length, 'warning')] : [];
  const parts = [
    ...(broken > 0 ? [`${broken} of ${counted(limits, 'limit')} broken`] : []),
    ...(unmatched > 0 ? [`${counted(unmatched, 'difference')} between ${sides}`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'limit')} not measured`] : []),
    ...(undecided > 0 ? [`${counted(undecided, 'limit')} undecided`] : []),
    ...(failures.length > 0 ? [`${counted(failures.length, 'payload')} not loaded`] : []),
    ...warned,
  ];
  if (results.length === 0 && failures.length === 0) return 'Nothing was checked: no limit applies.';
  if (errors.length + failures.length > 0) return `${parts.join(', ')}.`;
  const kept = limits - warnings.filter(({ limit }) => limit !== 'baseline').length;
  return `${[`${counted(kept, 'limit')} kept`, ...warned].join(', ')}.`;
}

/** All that does not fit one codec forms a group. */
const codecOf = ({ limit, written }: LimitResult) => (limit === 'codec' ? [limit, written] : null);

/** Problems with the same reason form one group: a missing runtime leaves every limit unmeasured. */
export function problemGroups(problems: readonly LimitResult[]): LimitResult[][] {
  const groups = groupedBy(problems, (result) => {
    const { path, reason, actual, outcome } = result;
    const isShared = path === null && reason !== undefined;
    const shared = isShared ? [reason, actual, outcome] : codecOf(result);
    return JSON.stringify(shared ? [...shared, severityOf(result)] : problems.indexOf(result));
  });
  return [...groups.values()];
}
