/** The verdict of a run and the rules behind it: causes, other findings, and unknown facts. */
import type { Verdict } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import {
  type Channel,
  type CostClass,
  channelRow,
  type EngineName,
  LEVELS,
  type Level,
} from '../../model/names.ts';
import type { RuleWording, Wording } from '../../model/report/wording.ts';
import { type Item, item, type Node, type PathText } from '../doc.ts';
import { failureCauses } from '../section/model/failure.ts';
import { runtimeName } from '../section/model/run-groups.ts';
import {
  code,
  muted,
  type Sentence,
  type StyledText,
  sentence,
  sentenceCase,
} from '../section/model/sentence.ts';
import {
  CLASS_TEXTS,
  CLASS_TONES,
  CONTRADICTED,
  LEVEL_TEXTS,
  UNKNOWN_TEXTS,
} from '../section/model/texts.ts';
import { count } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { rewriteName } from './trial-words.ts';

/** "serialized", "failed", "in-memory, contradicted by the engine". The ordinary case is not highlighted. */
export function statusText({ verdict }: Run): StyledText {
  if (verdict === null) return { text: 'failed', tone: 'bad', marked: true };
  if (verdict.confirmed === false)
    return { text: `${verdict.class}, ${CONTRADICTED}`, tone: 'bad', marked: true };
  if (verdict.class === 'serialized') return { text: verdict.class };
  return { text: verdict.class, tone: CLASS_TONES[verdict.class], marked: true };
}

/** Warning that the engine contradicts the verdict, so that the reader does not act on it. */
export function alarmSentence(run: Run): Sentence | null {
  const { verdict } = run;
  if (verdict?.confirmed !== false) return null;
  return sentence`Contradicted by the engine: the rule book is wrong about ${code(verdict.path)} on ${runtimeName(run)}. Please report it to clone-prof with the output of --format json for this payload. Do not rely on the verdict and the causes below; the measured times hold.`;
}

const classText = (cost: CostClass, channel: Channel): string =>
  cost === 'rejected'
    ? `Cannot be cloned: ${channelRow(channel).thrower ?? 'postMessage'} throws`
    : sentenceCase(CLASS_TEXTS[cost]);

export function verdictItems(run: Run, words: Wording): Node[] {
  const { verdict } = run;
  if (verdict === null) return [];
  const parts = [
    sentence`${classText(verdict.class, run.channel)}.`,
    ...(verdict.refusal === undefined ? [] : [sentence`The engine says: ${firstLine(verdict.refusal)}`]),
    ...pathSentences(verdict, words.paths[run.runtime.engine]),
    ...attainableSentences(verdict),
  ];
  const all = parts.flatMap((part, index) => (index === 0 ? part : [' ', ...part]));
  return [item('verdict', [all])];
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
function pathSentences(
  { path, confirmed, refusal }: Verdict,
  words: Wording['paths'][EngineName],
): Sentence[] {
  const confirmation = CONFIRMATIONS[`${confirmed}`];
  if (path === 'rejected') {
    return confirmation === null || refusal !== undefined ? [] : [sentence`${sentenceCase(confirmation)}.`];
  }
  const title = words[path]?.title ?? path;
  const named = title === path ? '' : ` (${title})`;
  return [sentence`Path: ${code(path)}${named}${confirmation === null ? '' : `, ${confirmation}`}.`];
}

function attainableSentences({ aspired, path, blockers }: Verdict): Sentence[] {
  if (aspired === null || aspired === path) return [];
  return [sentence`Without the ${blockers.length === 1 ? 'cause' : 'causes'} below: ${code(aspired)}.`];
}

export function upgradeItems({ verdict, advice, runtime }: Run): Node[] {
  const upgrade = verdict?.upgrade ?? advice?.upgrade ?? null;
  if (upgrade === null) return [];
  const cost = verdict?.upgrade ? ` (${CLASS_TEXTS[verdict.upgrade.class]})` : '';
  const newer = `${runtime.name} ${upgrade.since} and newer`;
  return [item('upgrade', [sentence`${newer} take the ${code(upgrade.path)} path here${cost}.`])];
}

type Fired = Record<'rule' | 'path', string>;

const isSame = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

/** "object inside an object 1,200×" */
export const placeText = (path: string, text: string, seen: number): PathText => ({
  path: foldedPath(path),
  text: seen > 1 ? `${text} ${count(seen)}×` : text,
});

/** "class instance (class User)": title of the rule, and the subject that it fired for, if the title lacks it. */
export function causeTitle(rule: string, what: string | undefined, words: Wording): string {
  const title = words.rules[rule]?.title ?? rule;
  return what === undefined || title.includes(what) ? title : `${title} (${what})`;
}

export function blockerItems(run: Run, words: Wording): Node[] {
  const blockers = causesOf(run);
  const places = blockers.map((blocker) => {
    const what = run.findings.find(isSame(blocker))?.what;
    return placeText(blocker.path, causeTitle(blocker.rule, what, words), blocker.count);
  });
  const explanations = [...new Set(blockers.map(({ rule }) => rule))].flatMap((rule) => {
    const row = words.rules[rule];
    if (row === undefined) return [];
    const hint = ruleHint(row, run, words);
    return { rule, text: hint === null ? row.why : `${row.why} ${hint}`, source: row.source };
  });
  return placesItem('because', places, { explanations: explanations.slice(0, MAX_EXPLAINED) });
}

const MAX_EXPLAINED = 3;

/** Causes of the error of a failed run, or of the missing fast path of other runs. */
const causesOf = (run: Run) => failureCauses(run) ?? run.verdict?.blockers ?? [];

export function findingItems(run: Run, words: Wording): Node[] {
  const blockers = causesOf(run);
  const others = run.findings.filter((finding) => !blockers.some(isSame(finding)));
  const rank = (level: Level) => LEVELS.indexOf(level);
  const places = [...others]
    .sort((a, b) => rank(a.level) - rank(b.level))
    .map(({ rule, path, level, count: seen, what }) =>
      placeText(path, `${LEVEL_TEXTS[level]}${causeTitle(rule, what, words)}`, seen),
    );
  return placesItem('also', places);
}

/** An id without a text (of a later version) is shown unchanged. */
export function unknownItems({ verdict }: Run): Node[] {
  const places = (verdict?.unknowns ?? []).map(({ path, what, count: seen }) =>
    placeText(path, UNKNOWN_TEXTS[what] ?? what, seen),
  );
  return placesItem('unknown', places);
}

/** Longer lists end in "and 3 more": --format json prints all. */
const MAX_SHOWN = 8;

/** The first items, and a sentence about the omitted ones. */
export function shortened<One>(items: readonly One[], what: string) {
  const rest = items.length - MAX_SHOWN;
  const more: Sentence = [muted(`and ${rest} more ${what}: --format json lists all`)];
  return { shown: items.slice(0, MAX_SHOWN), more: rest > 0 ? [more] : [] };
}

/** Item with places; empty without places. */
export function placesItem(label: string, places: readonly PathText[], extra: Partial<Item> = {}): Node[] {
  const { shown, more } = shortened(places, 'places');
  return places.length === 0 ? [] : [item(label, more, { places: shown, ...extra })];
}

/**
 * Outcome of the rewrites that a rule names. The rule's own advice is shown only if the run does not have a better one,
 * or if the run's advice is not to rewrite. Null if neither applies.
 */
export function ruleHint(rule: RuleWording, run: Run, words: Wording): string | null {
  const { remedies = [] } = rule;
  const { advice, trials, channel, via } = run;
  const fix = (via && rule.fixIn?.[via.library]) ?? rule.fix ?? null;
  if (remedies.length === 0) return fix;
  const isCopied = !channelRow(channel).moves || via?.transfers === false;
  if (remedies[0] === 'transfer' && isCopied) return null;
  if (advice?.action === 'apply' && remedies.includes(advice.remedy ?? '')) {
    return `The rewrite ${advice.remedy} answers it.`;
  }
  const tried = trials.filter(({ remedy }) => remedies.includes(remedy));
  const isByHand = rule.level !== 'slow' && rule.level !== 'note';
  if (tried.length === 0) return advice === null || isByHand ? fix : null;
  const outcomes = tried.map((trial) => `${rewriteName(trial, trials, words)} (${outcomeWord(trial)})`);
  const text = `Tried for it: ${outcomes.join(', ')}.`;
  return isByHand && fix !== null ? `${fix} ${text}` : text;
}

function outcomeWord({ equality, outcome, withConversion }: Trial): string {
  if (equality === 'failed' || outcome === 'refused') return 'refused';
  const time = withConversion === null ? 'not timed' : outcome;
  return equality === 'lossy' ? `lossy, ${time}` : time;
}
