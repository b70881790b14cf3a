/** Words for one result of a limit: finding, place and advice. Nothing is escaped yet. */
import { carries } from '../../../core/evidence.ts';
import type { LimitFact, LimitResult } from '../../../model/documents/check.ts';
import { type Checked, LIMIT_ROWS, type LimitUnit } from '../../../model/gate/limits.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { code, plainText, type Sentence } from '../../section/model/sentence.ts';
import { bytes, changeText, count, counted, measuredChange, ratio } from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';

const FORMATS: Record<LimitUnit, (value: number) => string> = {
  ...{ name: String, bytes, ratio, change: changeText },
  value: (value) => counted(value, 'value'),
  level: (value) => counted(value, 'level'),
  difference: (value) => counted(value, 'difference'),
  'not listed': (value) => `${count(value)} not listed`,
};

function numberText(limit: Checked, value: number): string {
  const { unit, none } = LIMIT_ROWS[limit];
  return value === 0 && none !== undefined ? none : FORMATS[unit](value);
}

const UNKNOWN = 'unknown';

/** Text of a number or a class. A rewrite without a number of differences was refused. */
const written = (limit: Checked, fact: LimitFact) =>
  typeof fact === 'number' ? numberText(limit, fact) : (fact ?? (limit === 'remedies' ? 'refused' : UNKNOWN));

/** "in-memory → serialized, limit baseline" */
export function factText(result: LimitResult): string {
  const { outcome, actual, reason, varies, alike = [] } = result;
  if (varies !== undefined) return `its facts vary: ${varies}`;
  if (outcome === 'not-measured') return `not measured: ${reason ?? 'reason unknown'}`;
  if (outcome === 'unmatched') {
    const names = alike.map((one) => `'${one}'`).join(' or ');
    return `${reason ?? UNKNOWN}${names === '' ? '' : `. Renamed? ${names} has equal facts`}`;
  }
  // The reason is printed at the path of the misfit, if there is a path.
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
  return `${written(limit, was)} → ${now}${change === null ? '' : `, ${changeText(change)}`}`;
}

function limitText({ limit, written: asked, against, expected, ci }: LimitResult): string {
  const comesTo = against !== null && typeof expected === 'number' && ci === undefined;
  return comesTo ? `${asked} (${numberText(limit, expected)})` : asked;
}

/** The finding without the limit: "in-memory → serialized", "46 B → 62 B". */
export function effectText(result: LimitResult): string {
  const { limit, was, actual, outcome } = result;
  if (outcome === 'unmatched') return factText(result).split('. ')[0]!;
  if (outcome !== 'failed' && outcome !== 'unsure') return `${limit} ${factText(result)}`;
  if (limit === 'maxBytes' && typeof was === 'number' && typeof actual === 'number')
    return `${bytes(was)} → ${bytes(actual)}`;
  if (limit === 'class' && was !== null && actual !== null) return `${was} → ${actual}`;
  const [found = ''] = factText(result).split(', limit ');
  return limit === 'time' || limit === 'memory' ? `${found} ${limit}` : `${limit} ${found}`;
}

/** "$[*].geo: object inside an object, and 2 more places"; null if no place is known. */
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

/** Advice of the rule with its rewrites, and how to accept the change if it is intended. */
export function fixesOf(result: LimitResult, words: Wording): Sentence[] {
  const { limit, rule, file, outcome } = result;
  const accepted = [acceptSentence(result)].filter((accept) => accept.length > 0);
  if (outcome === 'unmatched') return accepted;
  if (outcome === 'unsure' && result.level === 'error' && result.ci !== undefined)
    return [['If it may pass: ', code('"undecided": "warn"'), ' in the config.']];
  if (outcome !== 'failed') return [];
  if (result.varies !== undefined) return [['Make the same value at each call and on each machine.']];
  const row = rule === null ? undefined : words.rules[rule];
  const rewrites = row?.remedies ?? [];
  const proved = `clone-prof analyze ${file ?? ''} proves and times`.replace('  ', ' ');
  const tried = rewrites.length === 0 ? null : `${proved} ${rewrites.join(', ')}.`;
  const fix = row?.fix ?? LIMIT_ROWS[limit].fix?.replace('FILE', () => file ?? '');
  const advice = [fix, tried].filter(Boolean).join(' ');
  return [...(advice === '' ? [] : [[advice]]), ...accepted];
}

/** Text that is typed or copied is code: a format may break up other text. */
function acceptSentence({ against, outcome, limit, level, removed }: LimitResult): Sentence {
  const told = (...how: Sentence) => ['If it is intended: ', ...how, '.'];
  if (against === 'base' && outcome === 'unmatched' && level !== 'error') return [];
  if (removed !== undefined)
    return told(
      code(`"removed": [${JSON.stringify(removed)}]`),
      ...[' in the config, which counts where the workflow has ', code('--allow-removed')],
    );
  if (against === 'base' && limit === 'config')
    return told('merge the change of the config on its own. It counts as soon as the other commit has it');
  if (against === 'base' && outcome === 'unmatched')
    return told(code('"new": "ok"'), ' in the config of the other commit');
  if (against === 'base') return told('change the limit in the config');
  // Measured limits also need the copy of the payload.
  const samples = limit === 'time' || limit === 'memory' ? ' --samples' : '';
  return against === null ? [] : told(code(`clone-prof check --accept${samples}`));
}

/** The whole result in one line, for formats that CI systems read. */
export function sentence(result: LimitResult, words: Wording): string {
  const where = whereText(result, words);
  const fixes = fixesOf(result, words).map(plainText);
  const joint = result.limit === 'codec' ? ': ' : ' at ';
  const found = `${result.limit}: ${factText(result)}${where === null ? '' : joint + where}.`;
  return [found, ...fixes].join(' ');
}
