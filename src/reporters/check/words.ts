/** What all formats of a check say, in the same words. Nothing is escaped yet. */
import type { CheckReport, LimitName, LimitResult } from '../../model/check.ts';
import type { Wording } from '../../model/wording.ts';
import { groupedBy } from '../grouped.ts';
import { counted } from '../numbers.ts';

/** What each limit asks for. */
export const LIMIT_WORDS = {
  class: 'The engine takes at least this good a path.',
  maxBytes: 'The message is at most this large.',
  maxNodes: 'The payload holds at most this many values.',
  maxDepth: 'The payload is nested at most this deep.',
  maxAmplification: 'At most this many bytes are copied for each byte that is meant.',
  lossy: 'Every value arrives as it was sent.',
  rejected: 'Every value can be cloned.',
  transfer: 'Every buffer that can be transferred is on the transfer list.',
  time: 'The round trip takes at most this much longer than that of the payload in the baseline.',
  memory: 'Peak memory grows at most this much over that of the payload in the baseline.',
} as const satisfies Record<LimitName, string>;

/** What to do where no rule says it. */
const FIXES = {
  class: null,
  maxBytes: 'Send less, or raise the limit.',
  maxNodes: 'Send fewer values, or raise the limit.',
  maxDepth: 'Flatten it, or raise the limit.',
  maxAmplification: 'Send a copy of just the part that is meant: view.slice().',
  lossy: null,
  rejected: null,
  transfer: 'List the buffer when posting, and its path under "transfer" in the config.',
  time: 'See which part costs most: clone-prof analyze FILE --by-path.',
  memory: 'Send less at once, or raise the limit.',
} as const satisfies Record<LimitName, string | null>;

export type Severity = 'error' | 'warning';

/** null for what passed. */
export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' && outcome !== 'unsure' ? 'error' : 'warning';
}

/** Worst first, else in the order of the report. */
export function problemsOf(results: readonly LimitResult[]): LimitResult[] {
  const of = (severity: Severity) => results.filter((result) => severityOf(result) === severity);
  return [...of('error'), ...of('warning')];
}

export const placeOf = ({ payload, runtime, channel }: LimitResult): string =>
  `${payload} on ${runtime}${channel === 'worker' ? '' : ` over ${channel}`}`;

/** Results of one payload on one runtime, by place. */
export const resultsByPlace = (results: readonly LimitResult[]): Map<string, LimitResult[]> =>
  groupedBy(results, placeOf);

/** "serialized, limit in-memory, was in-memory" */
export function factWords({ outcome, actual, expected, was, reason }: LimitResult): string {
  const before = was === null || was === actual ? '' : `, was ${was}`;
  const said = `${actual}, limit ${expected}${before}`;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'unknown why'}`;
  if (outcome === 'unsure') {
    return actual === 'unknown'
      ? (reason ?? 'unsure')
      : `unsure: ${[said, ...(reason ? [reason] : [])].join('; ')}`;
  }
  return said;
}

/** "$[*].geo: object inside an object, and 2 more places"; null where no place is known. */
export function whereWords(
  { path, example, rule, reason, outcome }: LimitResult,
  words: Wording,
): string | null {
  if (path === null) return null;
  const title = rule === null ? null : (words.rules[rule]?.title ?? rule);
  const first = example === null || example === path ? '' : ` (first: ${example})`;
  const more = outcome === 'failed' && reason !== undefined ? `, ${reason}` : '';
  return `${path}${first}${title === null ? '' : `: ${title}`}${more}`;
}

/** The rule's own advice, and the rewrites that answer it. */
export function fixWords({ limit, rule, file, outcome }: LimitResult, words: Wording): string | null {
  if (outcome !== 'failed') return null;
  const row = rule === null ? undefined : words.rules[rule];
  const rewrites = row?.remedies ?? [];
  const proved = `clone-prof analyze ${file ?? ''} proves and times`.replace('  ', ' ');
  const tried = rewrites.length === 0 ? null : `${proved} ${rewrites.join(', ')}.`;
  const fix = row?.fix ?? FIXES[limit]?.replace('FILE', () => file ?? '') ?? null;
  return [fix, tried].filter((text) => text !== null).join(' ') || null;
}

/** One paragraph for formats that have no room for more. */
export function sentence(result: LimitResult, words: Wording): string {
  const where = whereWords(result, words);
  const fix = fixWords(result, words);
  const parts = [`${result.limit}: ${factWords(result)}`, ...(where === null ? [] : [`at ${where}`])];
  return `${parts.join(' ')}.${fix === null ? '' : ` ${fix}`}`;
}

/** "2 of 12 limits broken, 1 warning" */
export function sumWords({ results, failures }: CheckReport): string {
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

/** Problems with the same reason are one: a missing runtime leaves every limit unmeasured. */
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
