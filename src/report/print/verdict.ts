/** Findings about a run: its verdict, the causes and their rules, its largest parts, and unknown facts. */

import { PATHS, RULES } from '../../engines/rule-book/rule-book.ts';
import type { Verdict } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import { type Channel, type CostClass, channelRow, LEVELS, type Level } from '../../model/names.ts';
import { fixOf, type Rule } from '../../model/rules/rule.ts';
import { type Body, item } from '../nodes.ts';
import { counted } from '../text/numbers.ts';
import { code, type Sentence, sentence, sentenceCase, separated, type Words } from '../words.ts';
import { rewriteName } from './rewrites.ts';
import {
  CLASS_TEXTS,
  CONTRADICTED,
  causeTitle,
  failureCauses,
  foundItem,
  largestParts,
  placesItem,
  runtimeName,
} from './texts.ts';

/** Warning that the engine contradicts the verdict, so that the reader does not act on it. */
export function alarmSentence(run: Run): Sentence | null {
  const { verdict } = run;
  if (verdict?.confirmed !== false) return null;
  return sentence`Contradicted by the engine: the rule book is wrong about ${code(verdict.path)} on ${runtimeName(run)}. Please report it to clone-prof with the output of --format json for this payload. Do not rely on the verdict and the causes below; the measured times hold.`;
}

export const verdictItems = (run: Run): Body => [
  run.verdict && item('verdict', [verdictWords(run.verdict, run)]),
  blockerItem(run),
  bytesItem(run),
  upgradeItem(run),
  findingItem(run),
  unknownItem(run),
];

const classText = (cost: CostClass, channel: Channel): string =>
  cost === 'rejected'
    ? `Cannot be cloned: ${channelRow(channel).thrower ?? 'postMessage'} throws`
    : sentenceCase(CLASS_TEXTS[cost]);

function verdictWords(verdict: Verdict, { channel, runtime }: Run): Words {
  const { refusal, aspired, path, blockers } = verdict;
  const causes = blockers.length === 1 ? 'cause' : 'causes';
  const isBlocked = aspired !== null && aspired !== path;
  return [
    `${classText(verdict.class, channel)}.`,
    refusal !== undefined && ` The engine says: ${firstLine(refusal)}`,
    pathWords(verdict, runtime),
    isBlocked && sentence` Without the ${causes} below: ${code(aspired)}.`,
  ];
}

const MAX_REFUSAL_LENGTH = 100;

function firstLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > MAX_REFUSAL_LENGTH
    ? `${line.slice(0, MAX_REFUSAL_LENGTH)}….`
    : `${line.replace(/\.$/, '')}.`;
}

const CONFIRMATIONS = { true: 'confirmed by the engine', false: CONTRADICTED, null: null };

/** A rejected payload does not take a path, and a refusal of the engine confirms the verdict. */
function pathWords({ path, confirmed, refusal }: Verdict, { engine }: Run['runtime']): Words {
  const confirmation = CONFIRMATIONS[`${confirmed}`];
  if (path === 'rejected')
    return confirmation !== null && refusal === undefined && ` ${sentenceCase(confirmation)}.`;
  const title = PATHS[engine][path]?.title ?? path;
  return [
    ...[' Path: ', code(path), title !== path && ` (${title})`],
    ...[confirmation !== null && `, ${confirmation}`, '.'],
  ];
}

type Fired = Record<'rule' | 'path', string>;

const isSame = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

/** Causes of the error of a failed run, or of the missing fast path of other runs. */
const causesOf = (run: Run) => failureCauses(run) ?? run.verdict?.blockers ?? [];

const MAX_EXPLAINED = 3;

function blockerItem(run: Run): Body {
  const blockers = causesOf(run);
  const places = blockers.map((blocker) => {
    const what = run.findings.find(isSame(blocker))?.what;
    return { ...blocker, text: causeTitle(blocker.rule, what) };
  });
  const explanations = [...new Set(blockers.map(({ rule }) => rule))].flatMap((rule) => {
    const row = RULES[rule];
    if (row === undefined) return [];
    const hint = ruleHint(row, run);
    return { rule, text: hint === null ? row.why : `${row.why} ${hint}`, source: row.source };
  });
  return placesItem('because', places, { explanations: explanations.slice(0, MAX_EXPLAINED) });
}

/**
 * Outcome of the rewrites that a rule names. The rule's own advice is shown only if the run does not have a better one,
 * or if the run's advice is not to rewrite. Null if neither applies.
 */
export function ruleHint(rule: Rule, run: Run): string | null {
  const { remedies = [] } = rule;
  const { advice, trials, channel, via } = run;
  const fix = fixOf(rule, channel, via?.library);
  if (remedies.length === 0) return fix;
  const isCopied = !channelRow(channel).moves || via?.transfers === false;
  if (remedies[0] === 'transfer' && isCopied) return null;
  if (advice?.action === 'apply' && remedies.includes(advice.remedy ?? '')) {
    return `The rewrite ${advice.remedy} answers it.`;
  }
  const tried = trials.filter(({ remedy }) => remedies.includes(remedy));
  const isByHand = rule.level !== 'slow' && rule.level !== 'note';
  if (tried.length === 0) return advice === null || isByHand ? fix : null;
  const outcomes = tried.map((trial) => `${rewriteName(trial, trials)} (${outcomeWord(trial)})`);
  const text = `Tried for it: ${outcomes.join(', ')}.`;
  return isByHand && fix !== null ? `${fix} ${text}` : text;
}

function outcomeWord({ equality, outcome, withConversion }: Trial): string {
  if (equality === 'failed' || outcome === 'refused') return 'refused';
  const time = withConversion === null ? 'not timed' : outcome;
  return equality === 'lossy' ? `lossy, ${time}` : time;
}

/** Shows shares only: engines write the same value in different sizes, and a shape lacks the length of all keys. */
export function bytesItem(run: Run): Body {
  const largest = largestParts(run);
  if (largest === null) return null;
  const { parts, paths } = largest;
  const shown = parts.map(({ name, share }) => [name, ` ${Math.round(100 * share)} %`]);
  const spread = `spread over ${counted(paths, 'path')}, each under 5 %`;
  return item('bytes', [[shown.length === 0 ? spread : separated(shown, ', '), ', by estimate.']]);
}

function upgradeItem({ verdict, advice, runtime }: Run): Body {
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  if (upgrade === null) return null;
  const cost = verdict?.upgrade ? ` (${CLASS_TEXTS[verdict.upgrade.class]})` : '';
  const newer = `${runtime.name} ${upgrade.since} and newer`;
  return item('upgrade', [sentence`${newer} take the ${code(upgrade.path)} path here${cost}.`]);
}

function findingItem(run: Run): Body {
  const blockers = causesOf(run);
  const others = run.findings.filter((finding) => !blockers.some(isSame(finding)));
  const rank = (level: Level) => LEVELS.indexOf(level);
  const sorted = others.sort((a, b) => rank(a.level) - rank(b.level));
  return foundItem('also', sorted);
}

const UNKNOWN_TEXTS: Readonly<Record<string, string>> = {
  'share-or-copy': 'whether the string is shared or copied',
  'delete-history': 'whether a property was ever deleted from it, which costs the fast path',
  'getter-result': 'what the getter returns or throws: it is not run here',
  'array-storage': 'how the engine stores the array, which decides its path',
  'elements-kind': 'how the engine stores the array (packed or with holes)',
  'element-storage': 'how the engine stores the elements',
  'property-storage': 'how the engine stores the properties',
  'string-width': 'whether the string takes one or two bytes a character',
  'value-varies':
    'what the engine does with it: each build gives another value, and the engine was shown a later one',
  'storage-varies':
    'what the engine does with it: it stores builds in several ways, and was shown one that it stores otherwise',
  'patterns-left-out': 'values of too many kinds at one place: some were counted with similar ones',
};

/** An id without a text (of a later version) is shown unchanged. */
const unknownItem = ({ verdict }: Run): Body =>
  placesItem(
    'unknown',
    (verdict?.unknowns ?? []).map((one) => ({ ...one, text: UNKNOWN_TEXTS[one.what] ?? one.what })),
  );
