/** What a limit found, in words and readable units. */
import { carries } from '../../core/evidence.ts';
import type { ComparedFacts, Comparison, LimitFact, LimitResult } from '../../model/documents/check.ts';
import type { Checked } from '../../model/gate/limits.ts';
import { known } from '../section/model/columns.ts';
import { bytes, changeText, count, counted, measuredChange, ratio } from '../text/numbers.ts';

const UNKNOWN = 'unknown';

const name = (fact: NonNullable<LimitFact>) => String(fact);
const number = (write: (value: number) => string) => (fact: NonNullable<LimitFact>) =>
  typeof fact === 'number' ? write(fact) : fact;
const values = number((value) => (value === 0 ? 'none' : counted(value, 'value')));

const WRITTEN = {
  class: name,
  maxBytes: number(bytes),
  maxNodes: number((value) => counted(value, 'value')),
  maxDepth: number((value) => counted(value, 'level')),
  maxAmplification: number(ratio),
  lossy: values,
  rejected: values,
  transfer: number((value) => (value === 0 ? 'all' : `${count(value)} not listed`)),
  time: number(changeText),
  memory: number(changeText),
  remedies: number((value) => (value === 0 ? 'equal' : counted(value, 'difference'))),
  codec: number((value) => (value === 0 ? 'fits' : counted(value, 'difference'))),
  baseline: name,
  config: name,
} as const satisfies Record<Checked, (fact: NonNullable<LimitFact>) => string>;

/** A rewrite that does not give back the payload is refused: there is nothing to count. */
const written = (limit: Checked, fact: LimitFact) =>
  fact === null ? (limit === 'remedies' ? 'refused' : UNKNOWN) : WRITTEN[limit](fact);

export function factText(result: LimitResult): string {
  const { outcome, actual, reason, varies, alike = [] } = result;
  if (varies !== undefined) return `its facts vary: ${varies}`;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'reason unknown'}`;
  if (outcome === 'unmatched') {
    const names = alike.map((one) => `'${one}'`).join(' or ');
    return `${reason ?? UNKNOWN}${names === '' ? '' : `. Renamed? ${names} has equal facts`}`;
  }
  // What does not fit stands at its path, where it has one.
  if (result.limit === 'codec' && outcome === 'passed') return `${result.written} fits`;
  if (result.limit === 'codec')
    return `${result.written} does not fit${result.path === null ? `: ${reason ?? UNKNOWN}` : ''}`;
  const text = `${comparison(result)}, limit ${limitText(result)}`;
  if (outcome !== 'unsure') return text;
  if (result.ci && !carries({ ...result, ci: result.ci }, 'size')) return `unsure: ${reason ?? text}`;
  return actual === null ? (reason ?? 'unsure') : `unsure: ${[text, ...(reason ? [reason] : [])].join('; ')}`;
}

function comparison({ limit, actual, was, change, ci, ...sampled }: LimitResult): string {
  if (ci && typeof actual === 'number') return measuredChange(actual, { ...sampled, ci });
  const now = written(limit, actual);
  if (was === null || was === actual) return now;
  return `${written(limit, was)} -> ${now}${change === null ? '' : `, ${changeText(change)}`}`;
}

function limitText({ limit, written: asked, against, expected, ci }: LimitResult): string {
  const comesTo = against !== null && typeof expected === 'number' && ci === undefined;
  return comesTo ? `${asked} (${WRITTEN[limit](expected)})` : asked;
}

export const hasChanged = ({ before, now, time }: Comparison): boolean =>
  time !== undefined || JSON.stringify(before) !== JSON.stringify(now);

export const comparedCells = ({ before, now, time }: Comparison) => ({
  class: fromTo(before?.class ?? null, now?.class ?? null),
  bytes: amounts(before, now, ({ bytes: size }) => size, bytes),
  values: amounts(before, now, ({ nodes }) => nodes, count),
  time: time ? measuredChange(time.change, time) : '',
});

function fromTo(before: string | null, now: string | null): string {
  if (before === null) return `new: ${now}`;
  if (now === null) return `was ${before}`;
  return before === now ? now : `${before} -> ${now}`;
}

type Side = ComparedFacts | null;

function amounts(before: Side, now: Side, of: (facts: ComparedFacts) => number | null, text: typeof bytes) {
  const [was, is] = [before, now].map((side) => side && of(side));
  const shown = (side: Side) => (side === null ? null : known(of(side), text) || 'unknown');
  const change = was && is && was !== is ? `, ${changeText(is / was)}` : '';
  return `${fromTo(shown(before), shown(now))}${change}`;
}

/** "serialized; 5.20 kB -> 104 kB, +1,900 %; values: 7 -> 9, +29 %; time: +20 % (95 %: +15 % to +26 %)" */
export function comparedText(comparison: Comparison): string {
  if (comparison.now === null) return 'no longer checked';
  const { class: path, bytes: size, values, time } = comparedCells(comparison);
  return [path, size, `values: ${values}`, time && `time: ${time}`].filter((text) => text !== '').join('; ');
}
