import type { Run } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { adviceWords, unmeasuredWords } from '../advice-words.ts';
import { blockersOf, type Cause, explained, otherFindings, pathTitle } from '../causes.ts';
import { circumstanceNotes } from '../circumstances.ts';
import { runFacts } from '../facts.ts';
import { count } from '../numbers.ts';
import { namesOf } from '../runs.ts';
import {
  CLASS_WORDS,
  confirmationWords,
  FILE_IT,
  gradeOf,
  LEVEL_WORDS,
  unknownWords,
  upgradeWords,
  verdictName,
} from '../words.ts';
import { insightBlocks } from './insight.ts';
import { type Block, errorBlocks } from './markdown.ts';
import { numberBlocks } from './numbers.ts';
import { code, codeBlock, prose } from './spans.ts';
import { MARKS } from './table.ts';

const SHOWN_CAUSES = 20;

/** Versions that share a verdict, said once. */
export function sectionBlocks(runs: readonly Run[], words: Wording): Block[] {
  const [run] = runs;
  if (run === undefined) return [];
  const facts = [namesOf(runs), ...runFacts(runs)].map(prose).join(' · ');
  return [
    [`#### ${MARKS[gradeOf(run)]} ${prose(verdictName(run))} · ${facts}`],
    ...(run.error === null ? [] : errorBlocks(run.error)),
    alarm(run),
    [
      ...verdictItems(run, words),
      ...adviceItems(run, runs, words),
      ...remarkItems(run, words),
      ...noteItems(runs),
    ],
    run.advice?.code == null ? [] : codeBlock(run.advice.code, 'js'),
    ...numberBlocks(runs),
    ...insightBlocks(runs),
  ];
}

/** A contradiction comes first: nobody may act on a verdict that the engine denies. */
function alarm(run: Run): Block {
  if (run.verdict?.confirmed !== false) return [];
  return ['> [!WARNING]', `> ${prose(`Warning: ${confirmationWords(run)}. ${FILE_IT}`)}`];
}

function verdictItems(run: Run, words: Wording): string[] {
  const { verdict } = run;
  if (verdict === null) return [];
  const blockers = blockersOf(run, words);
  const title = pathTitle(run, verdict.path, words);
  const path = `Path: ${code(verdict.path)}${title === verdict.path ? '' : ` (${prose(title)})`}`;
  const confirmed = verdict.confirmed === true ? ', confirmed by the engine' : '';
  const aspired =
    verdict.aspired === null || verdict.aspired === verdict.path
      ? ''
      : ` Without the causes below: ${code(verdict.aspired)}.`;
  return [
    `- **Verdict**: ${prose(CLASS_WORDS[verdict.class])}. ${path}${confirmed}.${aspired}`,
    ...causeItems('Because', blockers),
    ...explained(blockers).map(({ why, fix }) => `  - ${explanation(why ?? '', fix)}`),
  ];
}

const explanation = (why: string, fix: string | null): string =>
  `<sub>${prose(fix === null ? why : `${why} ${fix}`)}</sub>`;

function causeItems(label: string, causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  const shown = causes.slice(0, SHOWN_CAUSES).map(causeItem);
  const more = causes.length - shown.length;
  return [`- **${label}**:`, ...shown, ...(more > 0 ? [`  - and ${more} more places`] : [])];
}

const causeItem = ({ path, title, count: seen }: Cause): string =>
  `  - ${code(path)} ${prose(title)}${seen > 1 ? ` ${count(seen)}×` : ''}`;

function adviceItems(run: Run, runs: readonly Run[], words: Wording): string[] {
  const advice = adviceWords(runs, words);
  const upgrade = upgradeWords(run);
  const what = advice?.sentences.join(' ') ?? unmeasuredWords(run);
  return [
    ...(what === null ? [] : [`- **Do**: ${prose(unknownWords(what))}`]),
    ...(upgrade === null ? [] : [`- **Upgrade**: ${prose(upgrade)}.`]),
  ];
}

const noteItems = (runs: readonly Run[]): string[] =>
  circumstanceNotes(runs).map((note) => `- **Note**: ${prose(note)}`);

function remarkItems(run: Run, words: Wording): string[] {
  const others = otherFindings(run, words).map((finding) => ({
    ...finding,
    title: finding.level === 'note' ? finding.title : `${LEVEL_WORDS[finding.level]}: ${finding.title}`,
  }));
  const unknowns = (run.verdict?.unknowns ?? []).map(
    ({ what, path, count: seen }) => `  - ${code(path)} ${prose(what)}${seen > 1 ? ` ${count(seen)}×` : ''}`,
  );
  return [...causeItems('Also', others), ...(unknowns.length === 0 ? [] : ['- **Unknown**:', ...unknowns])];
}
