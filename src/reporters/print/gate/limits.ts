/** Words for one result of a limit: finding, place and advice. Nothing is escaped yet. */
import { carries } from '../../../core/evidence.ts';
import type { LimitFact, LimitResult } from '../../../model/documents/check.ts';
import type { Checked } from '../../../model/gate/limits.ts';
import type { Wording } from '../../../model/report/wording.ts';
import { code, type Sentence } from '../../section/model/sentence.ts';
import { bytes, changeText, count, counted, measuredChange, ratio } from '../../text/numbers.ts';
import { foldedPath } from '../../text/paths.ts';

interface LimitRow {
  words: string;
  /** Advice if the result does not come from a rule. */
  fix: string | null;
  /** Formats a number of this limit; a class is printed by its name. */
  fact: (value: number) => string;
}

const values = (value: number) => (value === 0 ? 'none' : counted(value, 'value'));
const differences = (none: string) => (value: number) => (value === 0 ? none : counted(value, 'difference'));

export const LIMIT_ROWS = {
  class: {
    words: 'The engine takes a path of this class or a better one.',
    fix: null,
    fact: String,
  },
  maxBytes: {
    words: 'The message has at most this many bytes.',
    fix: 'Post less data, or raise the limit.',
    fact: bytes,
  },
  maxNodes: {
    words: 'The payload holds at most this many values.',
    fix: 'Post fewer values, or raise the limit.',
    fact: (value) => counted(value, 'value'),
  },
  maxDepth: {
    words: 'The payload has at most this many levels.',
    fix: 'Flatten it, or raise the limit.',
    fact: (value) => counted(value, 'level'),
  },
  maxAmplification: {
    words: 'At most this many bytes are copied for each byte that is needed.',
    fix: 'Post a copy of only the part that is needed: view.slice().',
    fact: ratio,
  },
  lossy: { words: 'Every value arrives unchanged.', fix: null, fact: values },
  rejected: { words: 'Every value can be cloned.', fix: null, fact: values },
  transfer: {
    words: 'Every buffer that can be transferred is on the transfer list.',
    fix: 'List the buffer when posting, and its path under "transfer" in the config.',
    fact: (value) => (value === 0 ? 'all' : `${count(value)} not listed`),
  },
  time: {
    words: 'The round trip takes at most this much longer than that of the payload in the baseline.',
    fix: 'Find the part that costs most: clone-prof analyze FILE --by-path.',
    fact: changeText,
  },
  memory: {
    words: 'Peak memory grows at most this much over that of the payload in the baseline.',
    fix: 'Post less at once, or raise the limit.',
    fact: changeText,
  },
  remedies: {
    words: 'Every rewrite of the config gives back an equal payload.',
    fix: 'Change the rewrite, or name it under "remedies" of other payloads.',
    fact: differences('equal'),
  },
  codec: {
    words: 'The codec of the config fits the payload, gives it back equal, and is made of its schema.',
    fix: 'If the payload is right: clone-prof check --fix-codec writes the codec anew.',
    fact: differences('fits'),
  },
  baseline: {
    words: 'Every payload is in the baseline, and everything in the baseline is checked.',
    fix: null,
    fact: String,
  },
  config: {
    words: 'The config demands at least what that of the other commit does.',
    fix: null,
    fact: String,
  },
} as const satisfies Record<Checked, LimitRow>;

const UNKNOWN = 'unknown';

/** Text of a number or a class. A rewrite without a number of differences was refused. */
const written = (limit: Checked, fact: LimitFact) =>
  typeof fact === 'number'
    ? LIMIT_ROWS[limit].fact(fact)
    : (fact ?? (limit === 'remedies' ? 'refused' : UNKNOWN));

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
  return comesTo ? `${asked} (${LIMIT_ROWS[limit].fact(expected)})` : asked;
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
  const fix = row?.fix ?? LIMIT_ROWS[limit].fix?.replace('FILE', () => file ?? '') ?? null;
  const advice = [fix, tried].filter((text) => text !== null).join(' ');
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
  const fixes = fixesOf(result, words).map((fix) =>
    fix.map((span) => (typeof span === 'string' ? span : span.text)).join(''),
  );
  const joint = result.limit === 'codec' ? ': ' : ' at ';
  const found = `${result.limit}: ${factText(result)}${where === null ? '' : joint + where}.`;
  return [found, ...fixes].join(' ');
}
