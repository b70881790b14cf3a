/** Advice for one payload on one runtime: its saving, its price, and the command that writes its code. */

import { budgetOption, carries, lackText } from '../../core/evidence.ts';
import { rateThatMatters } from '../../core/worth.ts';
import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Advice, Available, Trial } from '../../model/documents/trial.ts';
import { fileNameOf } from '../../model/report/file-name.ts';
import type { Wording } from '../../model/report/wording.ts';
import { block, type Node, text } from '../doc.ts';
import { columnsOf } from '../section/model/columns.ts';
import { code, muted, type Sentence, type Span, sentence, sentenceCase } from '../section/model/sentence.ts';
import { bytes, count, counted, factor, gainInterval, speed, time } from '../text/numbers.ts';
import { shellCommand } from '../text/shell.ts';
import { adviceShort } from './answer-rows.ts';
import { emitCommand } from './emit-command.ts';
import { advisedTrial, isEqualTrial, lossText, NO_EFFECT } from './trial-words.ts';

/** Maximum lines of code in an answer, without comments. */
const MAX_CODE_LINES = 4;

const titleOf = (remedy: string, words: Wording): string => words.remedies[remedy]?.title ?? remedy;

/** Name and path of the advised rewrite, for a table. */
export function doText(run: Run): Span {
  const { advice } = run;
  if (advice?.action !== 'apply' || advice.remedy === null) return muted(adviceShort(run));
  const { path, remedy } = advice;
  return path === null || path === '$' ? remedy : `${remedy} ${path}`;
}

/** Time of a round trip with the advised rewrite, for a table. */
export function thenCell({ advice, measurement }: Run): string {
  if (advice?.action !== 'apply' || !carries(advice.gain, 'size') || measurement === null) return '';
  return time(measurement.roundTrip.median * advice.gain.ratio);
}

/** @param isOneOfSeveral true if a table of runtimes already shows the gain */
export function adviceNodes(
  payload: PayloadReport,
  run: Run,
  words: Wording,
  { isOneOfSeveral = false } = {},
): Node[] {
  const { advice, status, error } = run;
  if (advice === null)
    return status === 'classified' && error !== null
      ? block([text([`Not measured: ${error.message}.`])])
      : [];
  if (advice.action !== 'apply') return block([...otherNodes(run, advice, words), ...busyNodes(run)]);
  const [code, command] = [codeNodes(advice), [...commandNodes(payload, run, advice), ...busyNodes(run)]];
  const said = [
    ...(isOneOfSeveral ? [] : gainNodes(run, advice, words)),
    ...lossNodes(run, advice),
    ...storedSentences(advisedTrial(advice, run), run).map((one) => text(one)),
    ...(advice.costs ?? []).map((cost) => text([`Its price: ${cost}.`])),
    ...rateNodes(run),
  ];
  return block([...said, ...code, ...command]);
}

/** Time that the advised rewrite saves, ns per message; null if the size of the gain is not known. */
export function savedNs({ measurement, advice }: Run): number | null {
  if (measurement === null || advice === null || !carries(advice.gain, 'size')) return null;
  return advice.saves?.ns ?? (1 - advice.gain.ratio) * measurement.roundTrip.median;
}

/**
 * Several ways: "2.0x faster is possible (1.7–2.3x), proven equal: saves 247 µs a message", and a table. One way: "Send
 * one JSON text: 2.0x faster (1.7–2.3x), proven equal, saves 247 µs a message".
 */
function gainNodes(run: Run, advice: Advice, words: Wording): Node[] {
  const ways = waysOf(run, advice);
  const [only, ...others] = ways;
  if (only === undefined || others.length > 0) {
    const lead: Sentence =
      advice.gain === null
        ? [{ text: 'A rewrite of it can be posted', tone: 'good' }, ', proven equal:']
        : gainSentence(run, advice.gain, { start: '', end: ' is possible', saves: ': ' });
    return [text(lead), ...waysTable(run, ways, words)];
  }
  const start = `${sentenceCase(sentenceCell(only.remedy, only.path, words))}: `;
  const lead: Sentence =
    advice.gain === null
      ? [{ text: `${start}can be posted`, tone: 'good' }, ', proven equal']
      : gainSentence(run, advice.gain, { start, end: '', saves: ', ' });
  return [text([...lead, ...(only.costs === '' ? [] : [`. ${sentenceCase(only.costs)}`])])];
}

function gainSentence(
  run: Run,
  gain: RatioEstimate,
  { start, end, saves }: Record<'start' | 'end' | 'saves', string>,
): Sentence {
  const faster = { text: `${start}${speed(gain)}${end}`, tone: 'good' } as const;
  const saved = savedNs(run);
  if (saved === null) return [faster, `, proven equal (${lackText(gain, 'size')})`];
  return [faster, ` (${gainInterval(gain)}), proven equal${saves}saves ${time(saved)} a message`];
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

function waysTable({ measurement }: Run, ways: readonly Way[], words: Wording): Node[] {
  if (ways.length === 0) return [];
  const columns = columnsOf(ways, [
    { head: '', cell: ({ remedy: name, path: at }) => sentenceCell(name, at, words) },
    {
      head: '',
      cell: ({ gain: one }) =>
        one && measurement && carries(one, 'size') ? time(measurement.roundTrip.median * one.ratio) : '',
      align: 'right',
    },
    { head: '', cell: ({ costs }) => costs },
  ]);
  return [{ type: 'table', title: 'Rewrites', columns, by: 1 }];
}

const sentenceCell = (remedy: string, path: string, words: Wording): string =>
  `${titleOf(remedy, words)}${path === '$' ? '' : `, at ${path}`}`;

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

/** "1.2 kB gzip on each side, generated", "4 lines" */
function priceText({ price, module }: Advice): string {
  if (price === undefined) return '';
  const isGenerated = module != null;
  const size =
    price.gzipBytes === null || !isGenerated
      ? counted(price.lines, 'line')
      : `${bytes(price.gzipBytes)} gzip`;
  return isGenerated ? `${size}, generated` : size;
}

/** Further effects of an advised rewrite on a stored payload. */
function storedSentences(trial: Trial | undefined, { bytes: posted, measurement }: Run): string[][] {
  const { fileBytes, blocksNs } = trial ?? {};
  const send = measurement?.send ?? null;
  const isSmaller = fileBytes !== undefined && posted !== undefined;
  return [
    ...(isSmaller ? [[`The file has ${bytes(fileBytes)} instead of ${bytes(posted.copied)}.`]] : []),
    ...(blocksNs !== undefined && send !== null
      ? [[`Until put returns, the thread is blocked for ${time(blocksNs)} instead of ${time(send.median)}.`]]
      : []),
  ];
}

function lossNodes(run: Run, advice: Advice): Node[] {
  const losses = lossText(advisedTrial(advice, run)?.losses ?? []);
  return losses === '' ? [] : [text([`The receiver does not get the same value: ${losses}.`])];
}

/** Who posts less than this, per second, does not ask what a message costs. */
const LEAST_RATE = 2;

/** "Below about 40 messages a second that is under 1 % of a core: leave it." */
function rateNodes(run: Run): Node[] {
  const saved = savedNs(run);
  if (saved === null) return [];
  const rate = rounded(rateThatMatters(saved));
  if (rate < LEAST_RATE) return [];
  const few = `Below about ${count(rate)} messages a second that is under 1 % of a core: leave it.`;
  return [text([few])];
}

/** Rounds to one significant digit up to 10, then to two. */
const rounded = (value: number): number => Number(value.toPrecision(value < 10 ? 1 : 2));

function codeNodes({ code: shown, module }: Advice): Node[] {
  if (shown === null || module != null) return [];
  const lines = shown
    .trimEnd()
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('//'));
  return lines.length > MAX_CODE_LINES ? [] : [{ type: 'code', text: shown.trimEnd(), language: 'js' }];
}

function commandNodes(payload: PayloadReport, run: Run, { module }: Advice): Node[] {
  if (module == null) return [];
  const words = emitCommand(payload, run, `${fileNameOf(payload.id)}.codec.ts`);
  return [text([code(shellCommand(['npx', ...words]))])];
}

function otherNodes(run: Run, advice: Advice, words: Wording): Node[] {
  const said: Record<Exclude<Advice['action'], 'apply'>, () => Sentence> = {
    nothing: () => {
      const tried = run.trials.filter(isEqualTrial).length;
      const how = tried === 0 ? '' : ` ${counted(tried, 'rewrite')} tried.`;
      return sentence`Post it as it is: no rewrite ${noGainReason(run.trials, advice)}.${how}${obstacleText(advice)}`;
    },
    'not-the-clone': () => [
      'The clone is not what is slow: an empty message takes about as long. Post fewer, larger messages.',
    ],
    'not-tried': () => ['Not known: what could not be tried may be faster.'],
    unsure: () => unsureSentence(run, advice),
  };
  return [text(said[advice.action as keyof typeof said]()), ...availableNodes(run, advice, words)];
}

/** "is faster", "is worth its code": reason why no rewrite is advised. */
function noGainReason(trials: readonly Trial[], { available, bound = 1 }: Advice): string {
  if (trials.every(({ remedy, outcome }) => remedy === 'parse-text' && outcome === 'refused'))
    return 'fits this payload';
  if (!trials.some(isEqualTrial)) return 'that was tried gives back an equal payload';
  const isWorthLess = available !== undefined || bound < NO_EFFECT[0];
  const is =
    available?.costs !== undefined ? 'is worth its cost' : isWorthLess ? 'is worth its code' : 'is faster';
  return trials.every(isEqualTrial) ? is : `that gives back an equal payload ${is}`;
}

function obstacleText({ obstacle }: Advice): Sentence {
  if (obstacle === undefined) return [];
  const { remedy, path, what } = obstacle;
  if (remedy === undefined) return sentence` ${code(path)} ${what}.`;
  return sentence` ${code(remedy)} does not give back ${code(path)} (${what}).`;
}

/** "Not decided: json-text has 1.4x the speed so far (0.90–2.3x); -b 20s would probably decide." */
export function unsureSentence({ trials }: Run, { needs }: Advice): Sentence {
  const [best] = trials
    .filter((trial) => isEqualTrial(trial) && carries(trial.withConversion, 'size'))
    .sort((a, b) => a.withConversion!.ratio - b.withConversion!.ratio);
  const soFar =
    best === undefined
      ? []
      : sentence`${code(best.remedy)} has ${factor(1 / best.withConversion!.ratio)}x the speed so far (${gainInterval(best.withConversion!)}); `;
  const longer =
    needs == null
      ? 'no budget up to five minutes would probably decide'
      : sentence`${code(budgetOption(needs))} would probably decide`;
  return sentence`Not decided: ${soFar}${longer}.`;
}

function availableNodes({ measurement }: Run, { available }: Advice, words: Wording): Node[] {
  if (available === undefined || measurement === null) return [];
  const { remedy, path, gain, lines, costs = [] } = available;
  const least = Math.floor((1 - Math.min(1, gain.ci[1])) * 100);
  const saved = carries(gain, 'size')
    ? `${time((1 - gain.ratio) * measurement.roundTrip.median)} a message`
    : `at least ${least} %`;
  const price = [counted(lines, 'line'), ...costs].join(', and ');
  const what = sentenceCell(remedy, path, words);
  return [text([muted(`${what} would save ${saved} for ${price}: not worth it.`)])];
}

/** Hint at a busy machine; empty if the advice already asks for more time. */
function busyNodes({ noise, advice }: Run): Node[] {
  if (noise === undefined || noise.beyond.length === 0 || advice?.action === 'unsure') return [];
  return [text([muted('Busy machine: a longer run (-b) is surer.')])];
}
