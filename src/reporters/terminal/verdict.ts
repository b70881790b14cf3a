import type { Run } from '../../model/report.ts';
import type { Wording } from '../../model/wording.ts';
import { blockersOf, type Cause, explained, otherFindings, pathTitle } from '../causes.ts';
import { count } from '../numbers.ts';
import {
  CLASS_WORDS,
  confirmationWords,
  FILE_IT,
  gradeOf,
  LEVEL_WORDS,
  unknownWords,
  verdictName,
} from '../words.ts';
import { bodyWidth, cutMiddle, labelled, padded, paragraphs, widthOf, wrapped } from './layout.ts';
import type { TerminalStyle } from './pen.ts';

const SHOWN_CAUSES = 6;
const SHOWN_FINDINGS = 4;
const EXPLAINED_RULES = 2;

/** Path, class and what stands in the way. */
export function verdictLines(run: Run, words: Wording, pen: TerminalStyle): string[] {
  if (run.verdict === null) return [];
  const blockers = blockersOf(run, words);
  return [
    ...alarm(run, pen),
    ...pathLines(run, words, pen),
    ...causeLines('because', blockers, SHOWN_CAUSES, pen),
    ...explanations(blockers, pen),
  ];
}

/** What else was seen, and what nobody could see. */
export function remarkLines(run: Run, words: Wording, pen: TerminalStyle): string[] {
  return [...findingLines(otherFindings(run, words), pen), ...unknownLines(run, pen)];
}

/** "▲ serialized" */
export function verdictHead(run: Run, pen: TerminalStyle): string {
  const grade = gradeOf(run);
  return pen.paint.grade[grade](`${pen.marks.grade[grade]} ${pen.text(verdictName(run))}`);
}

/** A contradiction comes before everything else: nobody may act on a verdict that the engine denies. */
function alarm(run: Run, pen: TerminalStyle): string[] {
  if (run.verdict?.confirmed !== false) return [];
  const sentence = pen.text(`Warning: ${confirmationWords(run)}. ${FILE_IT}`);
  return wrapped(sentence, pen.columns - 4).map((line) => `  ${pen.paint.alarm(line)}`);
}

function pathLines(run: Run, words: Wording, pen: TerminalStyle): string[] {
  const { verdict } = run;
  if (verdict === null) return [];
  const confirmation = verdict.confirmed === null ? '' : `, ${confirmedShort(verdict.confirmed)}`;
  const sentences = [`${sentenceCase(CLASS_WORDS[verdict.class])}.`];
  if (verdict.refusal !== undefined) sentences.push(`The engine says: ${firstLine(verdict.refusal)}`);
  if (verdict.path !== 'rejected') {
    const title = pathTitle(run, verdict.path, words);
    sentences.push(`Path: ${verdict.path}${title === verdict.path ? '' : ` (${title})`}${confirmation}.`);
  }
  if (verdict.aspired !== null && verdict.aspired !== verdict.path) {
    const cause = verdict.blockers.length === 1 ? 'cause' : 'causes';
    sentences.push(`Without the ${cause} below: ${verdict.aspired}.`);
  }
  return paragraphs('verdict', [pen.text(sentences.join(' '))], pen);
}

const confirmedShort = (confirmed: boolean): string =>
  confirmed ? 'confirmed by the engine' : 'denied by the engine';

const firstLine = (text: string): string => {
  const [line = ''] = text.split('\n');
  return `${line.length > 100 ? `${line.slice(0, 100)}…` : line.replace(/[.]$/, '')}.`;
};

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const times = ({ count: seen }: Cause): string => (seen > 1 ? ` ${count(seen)}×` : '');

/** Path and title side by side where both fit, else one below the other. */
function causeLines(label: string, causes: readonly Cause[], shown: number, pen: TerminalStyle): string[] {
  if (causes.length === 0) return [];
  const width = bodyWidth(pen);
  const listed = causes.slice(0, shown);
  const paths = listed.map(({ path }) => cutMiddle(pen.text(path), Math.min(width, 48), pen));
  const column = Math.max(...paths.map(widthOf)) + 2;
  const lines = listed.flatMap((cause, index) => {
    const path = paths[index] ?? '';
    const title = pen.text(cause.title + times(cause));
    if (column + widthOf(title) <= width) return [padded(path, column) + title];
    return [path, ...wrapped(title, width - 2).map((line) => `  ${line}`)];
  });
  if (causes.length > shown) lines.push(pen.paint.quiet(`and ${causes.length - shown} more places`));
  return labelled(label, lines, pen);
}

/** Why and how to avoid it, once per rule, for the rules that come first. */
function explanations(causes: readonly Cause[], pen: TerminalStyle): string[] {
  const texts = explained(causes)
    .slice(0, EXPLAINED_RULES)
    .map(({ why, fix }) => pen.text(fix === null ? (why ?? '') : `${why} ${fix}`));
  return labelled(
    '',
    texts.flatMap((text) => wrapped(text, bodyWidth(pen)).map(pen.paint.quiet)),
    pen,
  );
}

function findingLines(findings: readonly Cause[], pen: TerminalStyle): string[] {
  const named = findings.map((finding) => ({
    ...finding,
    title: finding.level === 'note' ? finding.title : `${LEVEL_WORDS[finding.level]}: ${finding.title}`,
  }));
  return causeLines('also', named, SHOWN_FINDINGS, pen);
}

function unknownLines(run: Run, pen: TerminalStyle): string[] {
  const unknowns = run.verdict?.unknowns ?? [];
  const shown = unknowns
    .slice(0, SHOWN_FINDINGS)
    .map(({ what, path, count: seen }) =>
      pen.text(`${path}: ${unknownWords(what)}${seen > 1 ? ` ${count(seen)}×` : ''}`),
    );
  if (unknowns.length > shown.length) shown.push(`and ${unknowns.length - shown.length} more`);
  return shown.length === 0 ? [] : paragraphs('unknown', shown, pen);
}
