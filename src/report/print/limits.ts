/** Results of limits: their order, their causes, and their words. Nothing is escaped yet. */
import { RULES } from '../../engines/rule-book/rule-book.ts';
import type { CheckReport, LimitFact, LimitResult, PendingChange } from '../../model/documents/check.ts';
import { type Checked, LIMIT_ROWS, type LimitOutcome } from '../../model/gate/limits.ts';
import type { Channel } from '../../model/names.ts';
import { fixOf } from '../../model/rules/rule.ts';
import { carries } from '../../stats/evidence.ts';
import { type Group, groupedBy } from '../text/groups.ts';
import { bytes, changeText, counted, measuredChange, ratioText, speed } from '../text/numbers.ts';
import { code, cutPath, plainText, type Sentence, sentenceOf, separated, type Words } from '../words.ts';
import { causeTitle } from './texts.ts';

type Severity = 'error' | 'warning';

export function severityOf({ level, outcome }: LimitResult): Severity | null {
  if (outcome === 'passed') return null;
  return level === 'error' ? 'error' : 'warning';
}

export const isError = (result: LimitResult): boolean => severityOf(result) === 'error';

export function problemsOf(results: readonly LimitResult[]): LimitResult[] {
  const of = (severity: Severity) => results.filter((result) => severityOf(result) === severity);
  return [...of('error'), ...of('warning')];
}

export type Place = Pick<LimitResult, 'payload' | 'runtime' | 'channel'>;

/** "bun@1.4.5 over ipc-json" */
export const targetOf = ({ runtime, channel }: Pick<Place, 'runtime' | 'channel'>): string =>
  ['worker', ''].includes(channel) || runtime === '' ? runtime : `${runtime} over ${channel}`;

/** "rows on bun@1.4.5 over ipc-json"; an empty runtime or channel stands for all. */
export function placeOf({ payload, runtime, channel }: Place): string {
  const on = runtime === '' ? payload : `${payload} on ${runtime}`;
  return channel === '' || (runtime !== '' && channel === 'worker') ? on : `${on} over ${channel}`;
}

/** Problems of one payload and runtime share a cause if their paths (without indices) or their reasons are equal. */
export const causesOf = (problems: readonly LimitResult[]): Group<LimitResult>[] =>
  groupedBy(problems, (result) => [placeOf(result), ...causeKey(result)]).map(([, group]) => group);

function causeKey({ limit, written, path, outcome, varies, reason = varies }: LimitResult): string[] {
  if (path === null && reason !== undefined) return ['reason', outcome, reason];
  if (limit === 'codec') return ['codec', written];
  return path === null ? ['limit', limit] : ['path', path.replace(/\[\d+\]/g, '[*]')];
}

/** True for a limit. Differences between two sides are counted separately. */
export const isLimit = ({ limit }: Pick<LimitResult, 'limit'>) => limit !== 'baseline' && limit !== 'config';

/** A limit that is broken at several places is one limit. */
const limitsIn = (results: readonly LimitResult[]): number =>
  new Set(
    results.map((one) => (isLimit(one) ? [placeOf(one), one.limit, one.written, one.outcome].join() : one)),
  ).size;

export function summaryText({ results, failures, base, shard }: CheckReport): string {
  const part = shard ? `Shard ${shard.index} of ${shard.count}: ` : '';
  const sides = base ? `${base.ref} and now` : 'baseline and payloads';
  const errors = results.filter(isError);
  const limits = limitsIn(results.filter(isLimit));
  const ended = (outcome: LimitOutcome) => limitsIn(errors.filter((result) => result.outcome === outcome));
  const warnings = results.filter((result) => severityOf(result) === 'warning');
  const warned = warnings.length > 0 ? [counted(warnings.length, 'warning')] : [];
  const counts: [number, (count: number) => string][] = [
    [ended('failed'), (broken) => `${broken} of ${counted(limits, 'limit')} broken`],
    [ended('unmatched'), (some) => `${counted(some, 'difference')} between ${sides}`],
    [ended('not-measured'), (some) => `${counted(some, 'limit')} not measured`],
    [ended('unsure'), (some) => `${counted(some, 'limit')} undecided`],
    [failures.length, (some) => `${counted(some, 'payload')} not loaded`],
  ];
  if (results.length === 0 && failures.length === 0) return `${part}Nothing was checked: no limit applies.`;
  const broken = counts.flatMap(([some, textOf]) => (some > 0 ? textOf(some) : []));
  const kept = limits - limitsIn(warnings.filter(isLimit));
  const parts = broken.length > 0 ? broken : [`${counted(kept, 'limit')} kept`];
  return `${part}${[...parts, ...warned].join(', ')}.`;
}

const FORMATS: Partial<Record<string, (value: number) => string>> = {
  bytes,
  ratio: ratioText,
  change: changeText,
};

function numberText(limit: Checked, value: number): string {
  const { unit, none } = LIMIT_ROWS[limit];
  if (value === 0 && none !== undefined) return none;
  return FORMATS[unit]?.(value) ?? counted(value, unit);
}

const UNKNOWN = 'unknown';

/** Text of a number or a class. A rewrite without a number of differences was refused. */
const written = (limit: Checked, fact: LimitFact) =>
  typeof fact === 'number' ? numberText(limit, fact) : (fact ?? (limit === 'remedies' ? 'refused' : UNKNOWN));

/** "in-memory → serialized, limit baseline" */
export function factText(result: LimitResult): string {
  const { outcome, actual, reason, varies } = result;
  if (varies !== undefined) return `its facts vary: ${varies}`;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'reason unknown'}`;
  if (outcome === 'unmatched') return reason ?? UNKNOWN;
  // The reason of a rewrite or a codec stands at the path, if there is one.
  const why = outcome === 'failed' && result.path === null && reason !== undefined ? `: ${reason}` : '';
  if (result.limit === 'codec')
    return `${result.written} ${outcome === 'passed' ? 'fits' : 'does not fit'}${why}`;
  // Things that must be absent are counted.
  const isCounted = LIMIT_ROWS[result.limit].none !== undefined;
  const text = isCounted
    ? `${written(result.limit, actual)}${why}`
    : `${comparison(result)}, limit ${limitText(result)}`;
  if (outcome !== 'unsure') return text;
  if (result.ci && !carries({ ...result, ci: result.ci }, 'size')) return `unsure: ${reason ?? text}`;
  return actual === null ? (reason ?? 'unsure') : `unsure: ${[text, ...(reason ? [reason] : [])].join('; ')}`;
}

function comparison({ limit, actual, was, change, ci, ...sampled }: LimitResult): string {
  if (ci && typeof actual === 'number') return measuredChange(actual, { ...sampled, ci });
  const now = written(limit, actual);
  if (was === null || was === actual) return now;
  return `${written(limit, was)} → ${now}${change === null ? '' : `, ${changeText(change)}`}`;
}

function limitText({ limit, written: asked, against, expected, ci }: LimitResult): string {
  const comesTo = against !== null && typeof expected === 'number' && ci === undefined;
  return comesTo ? `${asked} (${numberText(limit, expected)})` : asked;
}

/** "class in-memory → serialized", "4.0x slower" */
export function effectText(result: LimitResult): string {
  const { limit, actual, ci, ...sampled } = result;
  if (limit === 'time' && ci && typeof actual === 'number') return speed({ ratio: actual, ci, ...sampled });
  const [found = ''] = factText(result).split(', limit ');
  return isLimit(result) ? `${limit} ${found}` : found;
}

/** "$[*].geo: object inside an object, and 2 more places"; null if no place is known. */
export function whereText(result: LimitResult): string | null {
  const { limit, path, example, rule, reason, outcome } = result;
  if (path === null) return null;
  // "$.rows[*].note is new"
  if (limit === 'codec') return `${cutPath(path)} ${reason}`;
  const title = rule === null ? '' : `: ${causeTitle(rule)}`;
  const first = example === null || example === path ? '' : ` (first: ${cutPath(example)})`;
  const more = outcome === 'failed' && reason !== undefined ? `, ${reason}` : '';
  return `${cutPath(path)}${first}${title}${more}`;
}

/** Advice of the rule with its rewrites, or else of the limit; empty without one. */
function adviceOf({ limit, rule, file, channel, varies }: LimitResult): Sentence {
  if (varies !== undefined) return ['Make the same value at each call and on each machine.'];
  const row = rule === null ? undefined : RULES[rule];
  const rewrites = row?.remedies ?? [];
  const fix =
    (row && fixOf(row, channel as Channel)) ?? LIMIT_ROWS[limit].fix?.replace('FILE', () => file ?? '');
  const analyze = ['npx clone-prof analyze', file].filter(Boolean).join(' ');
  const tried: Words = rewrites.length > 0 && [code(analyze), ` tries ${rewrites.join(', ')} where it can.`];
  return sentenceOf(separated([fix, tried].filter(Boolean), ' '));
}

interface Fix {
  words: Sentence;
  of: readonly LimitResult[];
}

/** Advice of the rules of a cause, or else of its first limit that has one. */
function adviceFor(cause: readonly LimitResult[]): Fix[] {
  const failed = cause.filter(({ outcome }) => outcome === 'failed');
  const ruled = failed.filter(({ rule, varies }) => varies === undefined && rule !== null && rule in RULES);
  const all = (ruled.length > 0 ? ruled : failed).map(adviceOf).filter(({ length }) => length > 0);
  return all.slice(0, ruled.length || 1).map((words) => ({ words, of: failed }));
}

/** What mends the causes, then what accepts them. */
export function fixesOf(causes: readonly (readonly LimitResult[])[], report: CheckReport): Fix[] {
  const accepting = causes.flat().map((one) => ({ words: sentenceOf(acceptWords(one, report)), of: [one] }));
  return [...causes.flatMap(adviceFor), ...accepting.filter(({ words }) => words.length > 0)];
}

/** Text that is typed or copied is code: a format may break up other text. */
function acceptWords(
  { against, outcome, limit, level, removed, ci, varies }: LimitResult,
  { base }: CheckReport,
): Words {
  if (outcome === 'unsure' && level === 'error' && ci !== undefined)
    return ['If it may pass: ', code('"undecided": "warn"'), ' in the config.'];
  if ((outcome !== 'failed' && outcome !== 'unmatched') || varies !== undefined) return null;
  const intended = (...how: Words[]): Words => ['If it is intended: ', how, '.'];
  if (against === 'base' && outcome === 'unmatched' && level !== 'error') return null;
  if (removed !== undefined)
    return intended(
      code(`"removed": [${JSON.stringify(removed)}]`),
      ...[' in the config, which counts where the workflow has ', code('--allow-removed')],
    );
  if (against === 'base' && limit === 'config')
    return intended('merge that change on its own. It counts as soon as the other commit has it');
  if (against === 'base' && outcome === 'unmatched')
    return intended(code('"new": "ok"'), ' in the config of the other commit');
  const isAbsolute = against === null && LIMIT_ROWS[limit].rises;
  if (against === 'base' || (base && isAbsolute))
    return intended('change the limit in the config, and merge that first');
  if (isAbsolute) return intended('raise the limit in the config');
  // Measured limits also need the copy of the payload.
  const samples = limit === 'time' || limit === 'memory' ? ' --samples' : '';
  return against && intended(code(`npx clone-prof check --accept${samples}`));
}

/** End of what still holds: "this is merged". */
export const pendingEnd = ({ base }: CheckReport) =>
  base ? { text: 'this is merged' } : code('npx clone-prof check --accept');

/** "maxBytes: 2 kB until this is merged, then 6.4 kB" */
export const pendingText = ({ what, from, to }: PendingChange, report: CheckReport): string =>
  `${what}: ${from} until ${pendingEnd(report).text}, then ${to}`;

/** The whole result in one line, for formats that CI systems read. */
export function resultText(result: LimitResult, report: CheckReport): string {
  const where = whereText(result);
  const fixes = fixesOf([[result]], report).map(({ words }) => plainText(words));
  const joint = result.limit === 'codec' ? ': ' : ' at ';
  const limit = isLimit(result) ? `${result.limit}: ` : '';
  const found = `${limit}${factText(result)}${where === null ? '' : joint + where}.`;
  return [found, ...fixes].join(' ');
}
