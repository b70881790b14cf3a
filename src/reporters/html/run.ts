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
import { errorBox } from './html.ts';
import { insightOf } from './insight.ts';
import { html, lines, type Markup, type Piece } from './markup.ts';
import { loadsOf, timesOf, trialsOf } from './numbers.ts';

/** Versions that share a verdict, said once. */
export function runArticle(runs: readonly Run[], words: Wording): Markup | null {
  const [run] = runs;
  if (run === undefined) return null;
  const code = run.advice?.code ?? null;
  return html`<article class="run">
<h3><span class="badge ${gradeOf(run)}">${verdictName(run)}</span> ${namesOf(runs)} <small class="quiet">${runFacts(runs).join(' · ')}</small></h3>
${run.error === null ? null : errorBox(run.error)}${alarm(run)}
<dl class="says">${[...verdictItems(run, words), ...adviceItems(run, runs, words), ...remarkItems(run, words), ...noteItems(runs)]}</dl>
${code === null ? null : html`<pre><code>${lines(code)}</code></pre>`}
${timesOf(runs)}${loadsOf(runs)}${trialsOf(runs)}${insightOf(runs)}</article>
`;
}

const item = (term: string, content: Piece, kind = 'text'): Markup =>
  html`<dt>${term}</dt><dd class="${kind}">${content}</dd>`;

/** A contradiction comes first: nobody may act on a verdict that the engine denies. */
function alarm(run: Run): Markup | null {
  if (run.verdict?.confirmed !== false) return null;
  return html`<p class="alarm bad" role="alert">Warning: ${confirmationWords(run)}. ${FILE_IT}</p>`;
}

function verdictItems(run: Run, words: Wording): Markup[] {
  const { verdict } = run;
  if (verdict === null) return [];
  const title = pathTitle(run, verdict.path, words);
  const confirmed = verdict.confirmed === true ? ', confirmed by the engine' : '';
  const aspired =
    verdict.aspired === null || verdict.aspired === verdict.path
      ? null
      : html` Without the causes below: <code>${verdict.aspired}</code>.`;
  const blockers = blockersOf(run, words);
  const path = html`Path: <code>${verdict.path}</code>${title === verdict.path ? '' : ` (${title})`}${confirmed}.`;
  return [
    item('verdict', html`${capital(CLASS_WORDS[verdict.class])}. ${path}${aspired}`),
    ...(blockers.length === 0 ? [] : [item('because', [causeList(blockers), ...explanations(blockers)])]),
  ];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const times = (seen: number): string => (seen > 1 ? ` ${count(seen)}×` : '');

const causeList = (causes: readonly Cause[]): Markup =>
  html`<ul>${causes.map((cause) => html`<li><code>${cause.path}</code> ${cause.title}${times(cause.count)}</li>`)}</ul>`;

const explanations = (causes: readonly Cause[]): Markup[] =>
  explained(causes).map(
    ({ rule, why, fix, source }) =>
      html`<p class="quiet">${why} ${fix}</p><details><summary>Rule ${rule}</summary>Source: ${source}</details>`,
  );

function adviceItems(run: Run, runs: readonly Run[], words: Wording): Markup[] {
  const advice = adviceWords(runs, words);
  const upgrade = upgradeWords(run);
  const what = advice?.sentences.join(' ') ?? unmeasuredWords(run);
  return [
    ...(what === null ? [] : [item('do', what, `do ${advice?.grade ?? 'text'}`)]),
    ...(upgrade === null ? [] : [item('upgrade', `${upgrade}.`)]),
  ];
}

const noteItems = (runs: readonly Run[]): Markup[] =>
  circumstanceNotes(runs).map((note) => item('note', note));

function remarkItems(run: Run, words: Wording): Markup[] {
  const others = otherFindings(run, words).map((finding) => ({
    ...finding,
    title: finding.level === 'note' ? finding.title : `${LEVEL_WORDS[finding.level]}: ${finding.title}`,
  }));
  const unknowns = run.verdict?.unknowns ?? [];
  const unknownList = html`<ul>${unknowns.map(
    ({ what, path, count: seen }) => html`<li><code>${path}</code> ${unknownWords(what)}${times(seen)}</li>`,
  )}</ul>`;
  return [
    ...(others.length === 0 ? [] : [item('also', causeList(others))]),
    ...(unknowns.length === 0 ? [] : [item('unknown', unknownList)]),
  ];
}
