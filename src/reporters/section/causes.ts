/** The rules that fired: what blocks a better path, what else was found, and what could not be found out. */

import type { Run } from '../../model/documents/report.ts';
import { LEVELS, type Level } from '../../model/names.ts';
import type { Wording } from '../../model/report/wording.ts';
import { count } from '../text/numbers.ts';
import { hintOf } from './advice/hints.ts';
import { type Explanation, type PathText, type Statement, shortened } from './model/model.ts';
import { LEVEL_TEXTS, UNKNOWN_TEXTS } from './model/texts.ts';

interface Fired {
  rule: string;
  path: string;
  count: number;
}

const isSame = (a: Fired) => (b: Fired) => a.rule === b.rule && a.path === b.path;

/** "object inside an object 1,200×" */
const times = (text: string, seen: number): string => (seen > 1 ? `${text} ${count(seen)}×` : text);

/** "class instance (class User)": the title of the rule, and what it fired for, if the title lacks it. */
function titleOf(rule: string, what: string | undefined, words: Wording): string {
  const title = words.rules[rule]?.title ?? rule;
  return what === undefined || title.includes(what) ? title : `${title} (${what})`;
}

export function blockerStatements(run: Run, words: Wording): Statement[] {
  const places = (run.verdict?.blockers ?? []).map((blocker): PathText => {
    const what = run.findings.find(isSame(blocker))?.what;
    return { path: blocker.path, text: times(titleOf(blocker.rule, what, words), blocker.count) };
  });
  return placesStatement('because', places, explanationsOf(run, words));
}

const MAX_EXPLAINED = 3;

/** Each rule once. */
function explanationsOf(run: Run, words: Wording): Explanation[] {
  const rules = new Set((run.verdict?.blockers ?? []).map(({ rule }) => rule));
  const explanations = [...rules].flatMap((rule): Explanation[] => {
    const row = words.rules[rule];
    if (row === undefined) return [];
    const hint = hintOf(row, run, words);
    return [{ rule, text: hint === null ? row.why : `${row.why} ${hint}`, source: row.source }];
  });
  return explanations.slice(0, MAX_EXPLAINED);
}

/** Findings that block nothing, worst first. */
export function findingStatements({ verdict, findings, losses = [] }: Run, words: Wording): Statement[] {
  const blockers = verdict?.blockers ?? [];
  const others = findings.filter((finding) => !blockers.some(isSame(finding)));
  const rank = (level: Level) => LEVELS.indexOf(level);
  const places = [...others]
    .sort((a, b) => rank(a.level) - rank(b.level))
    .map(({ rule, path, level, count: seen, what }): PathText => {
      return { path, text: times(`${LEVEL_TEXTS[level]}${titleOf(rule, what, words)}`, seen) };
    });
  const seen = losses.map(({ path, what }) => ({
    path,
    text: `${LEVEL_TEXTS.lossy}${what}, seen in a real post`,
  }));
  return placesStatement('also', [...seen, ...places]).map(asDetail);
}

/** An id without a text (of a later version) is shown itself. */
export function unknownStatements({ verdict }: Run): Statement[] {
  const places = (verdict?.unknowns ?? []).map(({ path, what, count: seen }): PathText => {
    return { path, text: times(UNKNOWN_TEXTS[what] ?? what, seen) };
  });
  return placesStatement('unknown', places).map(asDetail);
}

const asDetail = (statement: Statement): Statement => ({ ...statement, later: 'detail' });

function placesStatement(
  label: string,
  places: readonly PathText[],
  explanations: readonly Explanation[] = [],
): Statement[] {
  if (places.length === 0) return [];
  const { shown, more } = shortened(places, 'places');
  return [{ label, places: shown, sentences: more, explanations }];
}
