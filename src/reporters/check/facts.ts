/** What a limit found, in words and readable units. */
import { carries } from '../../core/evidence.ts';
import type { LimitFact, LimitResult } from '../../model/documents/check.ts';
import type { Checked } from '../../model/gate/check.ts';
import { bytes, changeText, count, counted, measuredChange, ratio } from '../text/numbers.ts';

const UNKNOWN = 'unknown';

const name = (fact: NonNullable<LimitFact>) => String(fact);
const number = (write: (value: number) => string) => (fact: NonNullable<LimitFact>) =>
  typeof fact === 'number' ? write(fact) : fact;
const values = number((value) => (value === 0 ? 'none' : counted(value, 'value')));

/** How the facts of each limit are written. */
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
const unknownText = (limit: Checked) => (limit === 'remedies' ? 'refused' : UNKNOWN);
const written = (limit: Checked, fact: LimitFact) =>
  fact === null ? unknownText(limit) : WRITTEN[limit](fact);

/** "5.20 kB -> 104 kB, +1,900 %, limit +10% (5.72 kB)" */
export function factText(result: LimitResult): string {
  const { outcome, actual, reason, alike = [] } = result;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'reason unknown'}`;
  if (outcome === 'unmatched') {
    const names = alike.map((one) => `'${one}'`).join(' or ');
    return `${reason ?? UNKNOWN}${names === '' ? '' : `. Renamed? ${names} has equal facts`}`;
  }
  if (result.limit === 'codec') return codecText(result);
  const text = `${comparison(result)}, limit ${limitText(result)}`;
  if (outcome !== 'unsure') return text;
  if (result.ci && !carries({ ...result, ci: result.ci }, 'size')) return `unsure: ${reason ?? text}`;
  return actual === null ? (reason ?? 'unsure') : `unsure: ${[text, ...(reason ? [reason] : [])].join('; ')}`;
}

/** What does not fit stands at its path, where it has one. */
function codecText({ written: file, outcome, path, reason }: LimitResult): string {
  if (outcome === 'passed') return `${file} fits`;
  return path === null ? `${file} does not fit: ${reason ?? UNKNOWN}` : `${file} does not fit`;
}

function comparison({ limit, actual, was, change, ci, ...sampled }: LimitResult): string {
  if (ci && typeof actual === 'number') return measuredChange(actual, { ...sampled, ci });
  const now = written(limit, actual);
  if (was === null || was === actual) return now;
  return `${written(limit, was)} -> ${now}${change === null ? '' : `, ${changeText(change)}`}`;
}

/** As in the config, with the number that a growth comes to. */
function limitText({ limit, written: asked, against, expected, ci }: LimitResult): string {
  const comesTo = against !== null && typeof expected === 'number' && ci === undefined;
  return comesTo ? `${asked} (${WRITTEN[limit](expected)})` : asked;
}
