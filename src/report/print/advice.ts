/** Advice for one payload on one runtime: its saving, its price, and the command that writes its code. */

import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Advice, Available, Trial } from '../../model/documents/trial.ts';
import { fileNameOf } from '../../model/report/recipe.ts';
import { advisedTrial } from '../../model/report/runs.ts';
import { budgetOption, carries, rateThatMatters } from '../../stats/evidence.ts';
import { amounts, known } from '../columns.ts';
import { type Body, block, tableOf, text } from '../nodes.ts';
import { bytes, count, counted, factor, gainInterval, speedWithInterval, time } from '../text/numbers.ts';
import { emitCommand, shellCommand } from '../text/shell.ts';
import { code, muted, type Sentence, sentence, sentenceCase, type Words } from '../words.ts';
import { isEqualTrial, lossesText, NO_EFFECT } from './rewrites.ts';
import { remedyTitle, rewrittenNs } from './texts.ts';

/** @param isOneOfSeveral true if a table of runtimes already shows the gain @param isEmitted true if the code is written */
export function adviceNodes(
  payload: PayloadReport,
  run: Run,
  { isOneOfSeveral = false, isEmitted = false } = {},
): Body {
  const { advice, status, error, noise } = run;
  if (advice === null)
    return block(status === 'classified' && error !== null && text(`Not measured: ${error.message}.`));
  if (advice.action !== 'apply')
    return block([text(otherWords(run, advice)), text(availableWords(run, advice))]);
  const losses = lossesText(advisedTrial(advice, run)?.losses ?? []);
  const command = emitCommand(payload, run, `${fileNameOf(payload.id)}.codec.ts`);
  const isSizeOpen = advice.gain !== null && !carries(advice.gain, 'size');
  return block([
    !isOneOfSeveral && gainNodes(run, advice),
    losses !== '' && text(`The receiver does not get the same value: ${losses}.`),
    (advice.costs ?? []).map((cost) => text(`Its price: ${cost}.`)),
    text(rateText(run)),
    advice.module == null ? codeNode(advice) : !isEmitted && text(code(shellCommand(['npx', ...command]))),
    // Other answers are decided, or ask for more time themselves.
    isSizeOpen && (noise?.beyond.length ?? 0) > 0 && text(muted('Busy machine: a longer run (-b) is surer.')),
  ]);
}

/** Time that the advised rewrite saves, ns per message; null if the size of the gain is not known. */
export function savedNs({ measurement, advice }: Run): number | null {
  if (measurement === null || advice === null || !carries(advice.gain, 'size')) return null;
  return advice.saves?.ns ?? (1 - advice.gain.ratio) * measurement.roundTrip.median;
}

/** "Possible: 2.0x faster (1.7–2.3x), proven equal, saves 247 µs a message", and a table unless there is one way. */
function gainNodes(run: Run, advice: Advice): Body {
  const { gain } = advice;
  const ways = waysOf(run, advice);
  const only = ways.length === 1 ? ways[0] : undefined;
  const faster = gain === null ? 'can be posted' : speedWithInterval(gain);
  const saved = savedNs(run);
  const lead: Words = [
    { text: `${only ? sentenceCase(wayText(only)) : 'Possible'}: ${faster}`, tone: 'good' },
    ', proven equal',
    saved !== null && `, saves ${time(saved)} a message`,
    only !== undefined && only.costs !== '' && `. ${sentenceCase(only.costs)}`,
  ];
  return [text(lead), only === undefined && waysTable(run, ways)];
}

type Way = Pick<Available, 'remedy' | 'path' | 'lines'> & { gain: RatioEstimate | null; costs: string };

/** The advised rewrite and its alternatives, the simplest first. */
function waysOf(run: Run, advice: Advice): Way[] {
  const { remedy, path, gain, price, alternatives = [] } = advice;
  if (remedy === null) return [];
  const own: Way = { remedy, path: path ?? '$', gain, lines: price?.lines ?? 0, costs: priceText(advice) };
  const others = alternatives.map((one): Way => ({ ...one, costs: counted(one.lines, 'line') }));
  const simple = others.length === 0 ? simplestTried(run, remedy) : [];
  return [...[...others, own].sort((a, b) => a.lines - b.lines), ...simple];
}

function waysTable(run: Run, ways: readonly Way[]): Body {
  const table = tableOf('Rewrites', ways, [
    { head: '', cell: (way) => wayText(way) },
    amounts('', ({ gain }) => known(rewrittenNs(run, gain), time)),
    { head: '', cell: ({ costs }) => costs },
  ]);
  return table && { ...table, by: 1 };
}

const wayText = ({ remedy, path }: Pick<Way, 'remedy' | 'path'>): string =>
  `${remedyTitle(remedy)}${path === '$' ? '' : `, at ${path}`}`;

const JSON_TEXT = 'json-text';

/** JSON text, which most readers would try first, if it was tried and is not proven to be faster. */
function simplestTried({ trials }: Run, advised: string): Way[] {
  if (advised === JSON_TEXT) return [];
  const trial = trials.find(
    ({ remedy, path, equality }) => remedy === JSON_TEXT && path === '$' && equality === 'equal',
  );
  const gain = trial?.withConversion ?? null;
  if (gain === null || !carries(gain, 'size')) return [];
  const costs = gain.ci[0] >= NO_EFFECT[0] ? 'no gain' : 'no gain proven';
  return [{ remedy: JSON_TEXT, path: '$', gain, lines: 0, costs }];
}

function priceText({ price, module }: Advice): string {
  if (price === undefined) return '';
  const lines = counted(price.lines, 'line');
  if (module == null) return lines;
  return `${price.gzipBytes === null ? lines : `${bytes(price.gzipBytes)} gzip`}, generated`;
}

/** Who posts less than this, per second, does not ask what a message costs. */
const LEAST_RATE = 2;

function rateText(run: Run): Words {
  const saved = savedNs(run);
  if (saved === null) return null;
  const rate = rounded(rateThatMatters(saved));
  if (rate < LEAST_RATE) return null;
  return `Below about ${count(rate)} messages a second that is under 1 % of a core: leave it.`;
}

const rounded = (value: number): number => Number(value.toPrecision(value < 10 ? 1 : 2));

/** Maximum lines of code in an answer, without comments. */
const MAX_CODE_LINES = 4;

function codeNode({ code: shown }: Advice): Body {
  if (shown === null) return null;
  const lines = shown.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//'));
  return lines.length <= MAX_CODE_LINES && { type: 'code', text: shown.trimEnd(), language: 'js' };
}

function otherWords(run: Run, advice: Advice): Words {
  const tried = run.trials.filter(isEqualTrial).length;
  // A payload that arrives changed must not be posted unchanged.
  const isChanged = run.findings.some(({ level }) => level === 'lossy');
  const how = tried === 0 ? '' : ` ${counted(tried, 'rewrite')} tried.`;
  const all: Record<Advice['action'], Words> = {
    apply: null,
    nothing: sentence`${isChanged ? 'No' : 'Post it as it is: no'} rewrite ${noGainReason(run.trials, advice)}.${how}${obstacleWords(advice)}`,
    'not-the-clone':
      'The clone is not what is slow: an empty message takes about as long. Post fewer, larger messages.',
    'not-tried': 'Not known: what could not be tried may be faster.',
    unsure: unsureSentence(run, advice),
  };
  return all[advice.action];
}

function noGainReason(trials: readonly Trial[], { available, bound = 1 }: Advice): string {
  if (trials.every(({ equality }) => equality === 'failed')) return 'applies to it';
  if (!trials.some(isEqualTrial)) return 'that was tried gives back an equal payload';
  return available !== undefined || bound < NO_EFFECT[0] ? 'is worth its price' : 'is faster';
}

function obstacleWords({ obstacle }: Advice): Words {
  if (obstacle === undefined) return null;
  const { remedy, path, what } = obstacle;
  if (remedy === undefined) return sentence` ${code(path)} ${what}.`;
  return sentence` ${code(remedy)} does not give back ${code(path)} (${what}).`;
}

/** "Not decided: json-text has 1.4x the speed so far (0.90–2.3x); -b 20s would probably decide." */
export function unsureSentence({ trials }: Run, { needs }: Advice): Sentence {
  const [best] = trials
    .flatMap(({ remedy, withConversion, ...trial }) =>
      trial.outcome === 'unsure' && isEqualTrial(trial) && carries(withConversion, 'size')
        ? { remedy, gain: withConversion }
        : [],
    )
    .sort((a, b) => a.gain.ratio - b.gain.ratio);
  const soFar =
    best &&
    sentence`${code(best.remedy)} has ${factor(1 / best.gain.ratio)}x the speed so far (${gainInterval(best.gain)}); `;
  const longer =
    needs == null
      ? 'no budget up to five minutes would probably decide'
      : sentence`${code(budgetOption(needs))} would probably decide`;
  return sentence`Not decided: ${soFar}${longer}.`;
}

function availableWords({ measurement }: Run, { available }: Advice): Words {
  if (available === undefined || measurement === null) return null;
  const { gain, lines, costs = [] } = available;
  const least = Math.floor((1 - Math.min(1, gain.ci[1])) * 100);
  const saved = carries(gain, 'size')
    ? `${time((1 - gain.ratio) * measurement.roundTrip.median)} a message`
    : `at least ${least} %`;
  const price = [counted(lines, 'line'), ...costs].join(', and ');
  return muted(`${wayText(available)} would save ${saved} for ${price}: not worth it.`);
}
