/** The texts of a check, the same for all formats. Nothing is escaped yet. */
import type { CheckReport, LimitName, LimitResult } from '../../model/check.ts';
import type { Wording } from '../../model/wording.ts';
import { groupedBy } from '../grouped.ts';
import { counted } from '../numbers.ts';

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
} as const satisfies Record<LimitName, string>;

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
} as const satisfies Record<LimitName, string | null>;

export type Severity = 'error' | 'warning';

/** Null for a limit that passed. */
export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' && outcome !== 'unsure' ? 'error' : 'warning';
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
  `${payload} on ${runtime}${channel === 'worker' ? '' : ` over ${channel}`}`;

/** Results of one payload on one runtime, by place. */
export const resultsByPlace = (results: readonly LimitResult[]): Map<string, LimitResult[]> =>
  groupedBy(results, placeOf);

/** "serialized, limit in-memory, was in-memory" */
export function factText({ outcome, actual, expected, was, reason }: LimitResult): string {
  const before = was === null || was === actual ? '' : `, was ${was}`;
  const text = `${actual}, limit ${expected}${before}`;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'reason unknown'}`;
  if (outcome === 'unsure') {
    return actual === 'unknown'
      ? (reason ?? 'unsure')
      : `unsure: ${[text, ...(reason ? [reason] : [])].join('; ')}`;
  }
  return text;
}

/** "$[*].geo: object inside an object, and 2 more places"; null where no place is known. */
export function whereText(
  { path, example, rule, reason, outcome }: LimitResult,
  words: Wording,
): string | null {
  if (path === null) return null;
  const title = rule === null ? null : (words.rules[rule]?.title ?? rule);
  const first = example === null || example === path ? '' : ` (first: ${example})`;
  const more = outcome === 'failed' && reason !== undefined ? `, ${reason}` : '';
  return `${path}${first}${title === null ? '' : `: ${title}`}${more}`;
}

/** The rule's own advice, and the rewrites for it. */
export function fixText({ limit, rule, file, outcome }: LimitResult, words: Wording): string | null {
  if (outcome !== 'failed') return null;
  const row = rule === null ? undefined : words.rules[rule];
  const rewrites = row?.remedies ?? [];
  const proved = `clone-prof analyze ${file ?? ''} proves and times`.replace('  ', ' ');
  const tried = rewrites.length === 0 ? null : `${proved} ${rewrites.join(', ')}.`;
  const fix = row?.fix ?? FIXES[limit]?.replace('FILE', () => file ?? '') ?? null;
  return [fix, tried].filter((text) => text !== null).join(' ') || null;
}

/** Everything in one paragraph. */
export function sentence(result: LimitResult, words: Wording): string {
  const where = whereText(result, words);
  const fix = fixText(result, words);
  const parts = [`${result.limit}: ${factText(result)}`, ...(where === null ? [] : [`at ${where}`])];
  return `${parts.join(' ')}.${fix === null ? '' : ` ${fix}`}`;
}

/** "2 of 12 limits broken, 1 warning" */
export function summaryText({ results, failures }: CheckReport): string {
  const errors = results.filter((result) => severityOf(result) === 'error');
  const broken = errors.filter(({ outcome }) => outcome === 'failed').length;
  const unknown = errors.length - broken;
  const warnings = results.filter((result) => severityOf(result) === 'warning').length;
  const parts = [
    ...(broken > 0 ? [`${broken} of ${counted(results.length, 'limit')} broken`] : []),
    ...(unknown > 0 ? [`${counted(unknown, 'limit')} not measured`] : []),
    ...(failures.length > 0 ? [`${counted(failures.length, 'payload')} not loaded`] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  if (results.length === 0 && failures.length === 0) return 'Nothing was checked: no limit applies.';
  if (broken + unknown + failures.length > 0) return `${parts.join(', ')}.`;
  return `${counted(results.length - warnings, 'limit')} kept${warnings > 0 ? `, ${counted(warnings, 'warning')}` : ''}.`;
}

/** Problems with the same reason form one group: a missing runtime leaves every limit unmeasured. */
export function problemGroups(problems: readonly LimitResult[]): LimitResult[][] {
  const groups = groupedBy(problems, (result) => {
    const { path, reason, actual, outcome } = result;
    const isShared = path === null && reason !== undefined;
    return JSON.stringify(
      isShared ? [reason, actual, outcome, severityOf(result)] : problems.indexOf(result),
    );
  });
  return [...groups.values()];
}
