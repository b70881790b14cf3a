/** Texts, names and rows of runs that several parts share. Those of rules, paths and remedies come from the tables of the rule book. */

import { remedyNamed } from '../../codec/remedies/index.ts';
import { RULES } from '../../engines/rule-book/rule-book.ts';
import type { Finding } from '../../model/documents/classification.ts';
import type { RatioEstimate } from '../../model/documents/measurement.ts';
import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { AdviceAction } from '../../model/documents/trial.ts';
import { type CostClass, channelRow, type Level, runtimeWord } from '../../model/names.ts';
import { stemOf } from '../../model/report/recipe.ts';
import { carries } from '../../stats/evidence.ts';
import { formatPath, parsePath } from '../../value/read/paths.ts';
import { isBuffer } from '../../value/shape/shape-facts.ts';
import { bytesByPlace } from '../../value/shape/wire-estimate.ts';
import { amounts, type ColumnOf, columnsOf, known } from '../columns.ts';
import type { Table } from '../doc.ts';
import { item, tableOf } from '../nodes.ts';
import { atMost, groupedBy } from '../text/groups.ts';
import { count, counted, gainFactor, gainInterval, medianText, time } from '../text/numbers.ts';
import {
  code,
  cutPath,
  listed,
  muted,
  type Sentence,
  type Span,
  type StyledText,
  sentence,
  type Tone,
  type Words,
} from '../words.ts';

export const CLASS_TEXTS = {
  shared: 'nothing is copied: both sides have the same memory',
  moved: 'nothing is copied: the receiver gets the memory, and the sender loses it',
  'in-memory': 'fast already: it is copied in memory, without the serializer',
  bulk: 'fast already: its bytes are copied as one block',
  serialized: 'normal for such data: it is written out and read back, value by value',
  degraded: 'slower than such data must be',
  rejected: 'cannot be cloned',
} as const satisfies Record<CostClass, string>;

export const CLASS_TONES = {
  ...{ shared: 'good', moved: 'good', 'in-memory': 'good', bulk: 'good' },
  ...{ serialized: 'fair', degraded: 'poor', rejected: 'bad' },
} as const satisfies Record<CostClass, Tone>;

const LEVEL_TEXTS = {
  rejected: 'cannot be cloned: ',
  slow: 'slower: ',
  lossy: 'changed on arrival: ',
  note: '',
} as const satisfies Record<Level, string>;

export const SHORT_ADVICE = {
  apply: 'a rewrite',
  nothing: 'no rewrite',
  'not-the-clone': 'fewer, larger messages',
  'not-tried': 'not tried',
  unsure: 'unsure',
} as const satisfies Record<AdviceAction, string>;

export const runtimeText = (runtime: Parameters<typeof runtimeWord>[0] & { version: string }): string =>
  `${runtimeWord(runtime)} ${runtime.version}`;

export const runtimeName = ({ runtime }: Run): string => runtimeText(runtime);

/** Distinct names of a payload's runs: "chromium 143.0.0", or "chromium 143.0.0, window" for several channels. */
export function runNames(runs: readonly Run[]): (run: Run) => string {
  const severalChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  return (run) => (severalChannels ? `${runtimeName(run)}, ${run.channel}` : runtimeName(run));
}

export const onRun = (run: Run, runs: readonly Run[]): string =>
  runs.length === 1 ? '' : ` on ${runNames(runs)(run)}`;

/** "node 20.20.2, 24.21.0 and bun 1.4.5"; "bun", without versions, if all its runs in `all` are meant. */
export function runtimeNames(runs: readonly Run[], all: readonly Run[] = []): string {
  const names = groupedBy(runs, ({ runtime }) => runtimeWord(runtime)).map(([name, own]) => {
    const known = all.filter(({ runtime }) => runtimeWord(runtime) === name).length;
    if (known > 1 && known === own.length) return name;
    return `${name} ${[...new Set(own.map(({ runtime }) => runtime.version))].join(', ')}`;
  });
  return listed(names);
}

/** "serialized", "failed", "in-memory, contradicted by the engine". The ordinary case is not highlighted. */
export function statusText({ verdict }: Run): StyledText {
  if (verdict === null) return { text: 'failed', tone: 'bad', marked: true };
  if (verdict.confirmed === false)
    return { text: `${verdict.class}, contradicted by the engine`, tone: 'bad', marked: true };
  if (verdict.class === 'serialized') return { text: verdict.class };
  return { text: verdict.class, tone: CLASS_TONES[verdict.class], marked: true };
}

/** Error message with its path shortened; the path comes first if the message does not contain it. */
export function errorText({ path, message }: RunError): string {
  if (path === undefined) return message;
  const shown = cutPath(path);
  return message.includes(path) ? message.replaceAll(path, () => shown) : `${shown}: ${message}`;
}

/** "class instance (class User)": title of the rule, and the subject that it fired for, if the title lacks it. */
export function causeTitle(rule: string, what?: string): string {
  const title = RULES[rule]?.title ?? rule;
  return what === undefined || title.includes(what) ? title : `${title} (${what})`;
}

export const remedyTitle = (remedy: string): string => remedyNamed(remedy)?.title ?? remedy;

export const timesText = (seen: number): string => (seen > 1 ? ` ${count(seen)}×` : '');

/** Longer lists end in "and 3 more": --format json prints all. */
export const MAX_SHOWN = 8;

export const omittedText = (others: number, what: string): StyledText =>
  muted(`and ${others} more ${what}: --format json lists all`);

export function placeWords(all: readonly Place[]): Words[] {
  const places = all.map(({ path, text, count: seen }) => [code(path), ` ${text}${timesText(seen)}`]);
  return atMost<Words, Words>(MAX_SHOWN, places, (others) => omittedText(others, 'places'));
}

type Place = Pick<Finding, 'path' | 'count'> & { text: string };
type Found = Pick<Finding, 'rule' | 'level' | 'path' | 'count' | 'what'>;

export const foundText = ({ rule, level, what }: Found): string =>
  `${LEVEL_TEXTS[level]}${causeTitle(rule, what)}`;

export const foundItem = (label: string, found: readonly Found[]) =>
  item(label, placeWords(found.map((one) => ({ ...one, text: foundText(one) }))));

/** Minimum size of a message: smaller messages cost about the same, independent of their contents. */
const MIN_BYTES = 1000;
const MIN_SHARE = 0.05;
const MAX_PARTS = 3;

/** Name of a part. Patterns that are too deep or too many share a final step, which means all below it. */
function partName(pattern: string): Sentence {
  const steps = parsePath(pattern) ?? [];
  if (steps.at(-1)?.type !== 'deeper') return [code(pattern)];
  return sentence`everything in ${code(formatPath(steps.slice(0, -1)))}`;
}

/** Parts with most bytes; `parts` is empty if they are spread. Null for a small message or a single value. */
export function largestParts({ shape }: Run) {
  const byPath = bytesByPlace(shape?.patterns ?? []);
  const whole = [...byPath.values()].reduce((sum, own) => sum + own, 0);
  const buffers = new Set(shape?.patterns.filter(isBuffer).map(({ pattern }) => pattern));
  const isOneValue = byPath.size === 1 && byPath.has('$');
  if (!(whole >= MIN_BYTES) || isOneValue) return null;
  const parts = [...byPath]
    .map(([pattern, own]) => ({ pattern, share: own / whole }))
    .filter(({ share }) => share >= MIN_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_PARTS)
    .map(({ pattern, share }) => ({ name: partName(pattern), share, isBuffer: buffers.has(pattern) }));
  return { parts, paths: byPath.size };
}

/** "json-text", "no rewrite", "not measured", "see its error"; "" without advice. */
export function adviceShort({ advice, status, error, channel, verdict }: Run): string {
  if (advice === null && verdict?.class === 'rejected') return 'fix the causes';
  if (status === 'failed') return SEE_ERROR;
  if (advice === null) return error === null ? '' : 'not measured';
  if (advice.action === 'not-the-clone') return channelRow(channel).fewer ?? SHORT_ADVICE[advice.action];
  return (advice.action === 'apply' ? advice.remedy : null) ?? SHORT_ADVICE[advice.action];
}

export const isOpen = ({ advice }: Run): boolean =>
  advice?.action === 'not-tried' || advice?.action === 'unsure';

export const adviceWithGain = (advice: string, gain: RatioEstimate | null): string =>
  gain === null ? advice : `${advice}: ${gainFactor(gain)}`;

export const gainOf = ({ advice }: Run): RatioEstimate | null =>
  advice?.action === 'apply' ? advice.gain : null;

/** A run is missing if the payload could not be loaded, or if no runtime ran it. */
type Row = { id: string; run?: Run };

/** @param ofSeveral true if the payloads are named */
export function runsTable(title: string, payloads: readonly PayloadReport[], ofSeveral = false) {
  const rows = payloads.flatMap(({ id, runs }): Row[] =>
    runs.length === 0 ? [{ id }] : runs.map((run) => ({ id, run })),
  );
  const runs = rows.flatMap(({ run }) => run ?? []);
  const hasChannels = new Set(runs.map(({ channel }) => channel)).size > 1;
  const hasClass = ofSeveral || runs.every(({ measurement }) => measurement === null);
  return tableOf(title, rows, [
    { head: ofSeveral ? 'payload' : '', cell: ({ id }) => (ofSeveral ? code(id) : '') },
    { head: ofSeveral ? 'runtime' : '', cell: ({ run }) => (run ? runtimeName(run) : 'no runtime') },
    { head: 'channel', cell: ({ run }) => (run && hasChannels ? run.channel : '') },
    { head: 'class', cell: ({ run }) => (!run ? FAILED : hasClass ? classCell(run) : ''), rank: 3 },
    amounts('a message', ({ run }) => known(run?.measurement?.roundTrip, medianText)),
    amounts('blocks sender', ({ run }) => known(run?.measurement?.send, medianText), 1),
    amounts('receiver', ({ run }) => known(run?.measurement?.receive, medianText), 0),
    { head: 'do', cell: ({ run }) => (run ? adviceCell(run) : SEE_ERROR) },
    amounts('then', ({ run }) => known(run && rewrittenNs(run, gainOf(run)), time)),
    { head: 'faster', cell: ({ run }) => known(run && gainOf(run), fasterText), rank: 2 },
  ]);
}

const SEE_ERROR = 'see its error';
const FAILED = { text: 'failed', tone: 'bad', marked: true } as const;

function classCell(run: Run): StyledText {
  const status = statusText(run);
  return isChanged(run) ? { text: `${status.text}, changed`, tone: 'fair', marked: true } : status;
}

const isChanged = ({ verdict, findings }: Run): boolean =>
  verdict !== null && verdict.class !== 'rejected' && findings.some(({ level }) => level === 'lossy');

function adviceCell(run: Run): Span {
  const { advice } = run;
  // A text without a tone: a column of empty texts is left out.
  const short = adviceShort(run);
  if (advice?.action !== 'apply' || advice.remedy === null) return short === '' ? '' : muted(short);
  const { path, remedy } = advice;
  return path === null || path === '$' ? remedy : `${remedy} ${path}`;
}

/** Time of a round trip with a rewrite of this gain, ns; null if the size of the gain is not known. */
export const rewrittenNs = ({ measurement }: Run, gain: RatioEstimate | null): number | null =>
  measurement && carries(gain, 'size') ? measurement.roundTrip.median * gain.ratio : null;

const fasterText = (gain: RatioEstimate): string =>
  carries(gain, 'size') ? `${gainFactor(gain)} (${gainInterval(gain)})` : gainFactor(gain);

/** Name of the file if it holds a single payload of that name, else the id of the payload. */
export function titleOf({ id, source: { file, export: name } }: PayloadReport): StyledText {
  return code(name === null && stemOf(file) === id ? file : id);
}

export const anchorOf = (place: number): string => `payload-${place + 1}`;

/** The most expensive payload first; null for a single payload. Recorded sites are ranked separately. */
export function contentsOf({ payloads }: Report): { places: readonly number[]; table: Table } | null {
  const rows = payloads
    .map((payload, place) => ({ payload, place, cost: slowestNs(payload) }))
    .filter(({ payload }) => payload.traffic === undefined)
    .sort((a, b) => (b.cost ?? -1) - (a.cost ?? -1));
  if (rows.length < 2) return null;
  const runs = payloads.flatMap((payload) => (payload.traffic === undefined ? payload.runs : []));
  const nameOf = runNames(runs);
  const runtimes = [...new Set(runs.map(nameOf))];
  const columns = columnsOf(rows, [
    { head: 'payload', cell: ({ payload }) => titleOf(payload) },
    amounts('a message, slowest', ({ cost }) => known(cost, time) || 'not measured'),
    ...runtimes.map((head): ColumnOf<(typeof rows)[number]> => {
      const cell = ({ payload }: (typeof rows)[number]) => {
        const run = payload.runs.find((one) => nameOf(one) === head);
        if (run !== undefined) return contentsCell(run);
        return payload.runs.length > 0 ? '' : { ...FAILED, text: `failed: ${SEE_ERROR}` };
      };
      return { head, cell };
    }),
  ]);
  const title = `${rows.length} payloads on ${counted(runtimes.length, 'runtime')}`;
  const places = rows.map(({ place }) => place);
  return { places, table: { type: 'table', title, columns, anchors: places.map(anchorOf) } };
}

function slowestNs({ runs }: PayloadReport): number | null {
  const medians = runs.flatMap(({ measurement }) => measurement?.roundTrip.median ?? []);
  return medians.length === 0 ? null : Math.max(...medians);
}

function contentsCell(run: Run): Span {
  const [status, advice] = [statusText(run), adviceShort(run)];
  if (status.tone === 'bad') return { ...status, text: [status.text, advice].filter(Boolean).join(': ') };
  if (isChanged(run))
    return { text: `${advice || status.text}, arrives changed`, tone: 'fair', marked: true };
  if (advice === '') return status.text;
  if (isOpen(run)) return { text: advice, marked: 'unsure' };
  return run.advice?.action === 'apply' ? { text: advice, tone: 'good', marked: 'faster' } : advice;
}
