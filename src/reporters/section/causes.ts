/** The rules that fired: what blocks a better path, what else was found, and what could not be found out. */
import type { Run } from '../../model/documents/report.ts';
import type { Trial } from '../../model/documents/trial.ts';
import { channelRow, LEVELS, type Level } from '../../model/names.ts';
import type { RuleWording, Wording } from '../../model/report/wording.ts';
import { count } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { rewriteName } from './advice/trial-rows.ts';
import { failureCauses } from './model/failure.ts';
import { type PathText, type Statement, shortened } from './model/model.ts';
import { LEVEL_TEXTS, UNKNOWN_TEXTS } from './model/texts.ts';

type Fired = Record<'rule' | 'path', string>;

const isSame = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

/** "object inside an object 1,200×" */
export const placeText = (path: string, text: string, seen: number): PathText => ({
  path: foldedPath(path),
  text: seen > 1 ? `${text} ${count(seen)}×` : text,
});

/** "class instance (class User)": the title of the rule, and what it fired for, if the title lacks it. */
export function causeTitle(rule: string, what: string | undefined, words: Wording): string {
  const title = words.rules[rule]?.title ?? rule;
  return what === undefined || title.includes(what) ? title : `${title} (${what})`;
}

export function blockerStatements(run: Run, words: Wording): Statement[] {
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
  return placesStatement('because', places, { explanations: explanations.slice(0, MAX_EXPLAINED) });
}

const MAX_EXPLAINED = 3;

/** Of a failed run what its error comes from, of all others what blocks a better path. */
const causesOf = (run: Run) => failureCauses(run) ?? run.verdict?.blockers ?? [];

export function findingStatements(run: Run, words: Wording): Statement[] {
  const { findings, losses = [] } = run;
  const blockers = causesOf(run);
  const others = findings.filter((finding) => !blockers.some(isSame(finding)));
  const rank = (level: Level) => LEVELS.indexOf(level);
  const places = [...others]
    .sort((a, b) => rank(a.level) - rank(b.level))
    .map(({ rule, path, level, count: seen, what }) =>
      placeText(path, `${LEVEL_TEXTS[level]}${causeTitle(rule, what, words)}`, seen),
    );
  const seen = losses.map(({ path, what }) =>
    placeText(path, `${LEVEL_TEXTS.lossy}${what}, seen in a real post`, 1),
  );
  return placesStatement('also', [...seen, ...places], { later: 'detail' });
}

/** An id without a text (of a later version) is shown itself. */
export function unknownStatements({ verdict }: Run): Statement[] {
  const places = (verdict?.unknowns ?? []).map(({ path, what, count: seen }) =>
    placeText(path, UNKNOWN_TEXTS[what] ?? what, seen),
  );
  return placesStatement('unknown', places, { later: 'detail' });
}

/** None without a place. */
export function placesStatement(
  label: string,
  places: readonly PathText[],
  more: Partial<Statement> = {},
): Statement[] {
  const { shown, more: sentences } = shortened(places, 'places');
  return places.length === 0 ? [] : [{ label, places: shown, sentences, ...more }];
}

/**
 * What became of the rewrites that a rule names; its own advice only where the run has nothing better, and where
 * the advice of the run is not to rewrite anything. Null where there is nothing true to say.
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
  const outcomes = tried.map((trial) => `${rewriteName(trial, trials, words)} (${outcomeText(trial)})`);
  const text = `Tried for it: ${outcomes.join(', ')}.`;
  return isByHand && fix !== null ? `${fix} ${text}` : text;
}

function outcomeText({ equality, outcome, withConversion }: Trial): string {
  if (equality === 'failed' || outcome === 'refused') return 'refused';
  const time = withConversion === null ? 'not timed' : outcome;
  return equality === 'lossy' ? `lossy, ${time}` : time;
}
