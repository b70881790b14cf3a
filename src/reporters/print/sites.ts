/** Recorded sites in words: places, sizes, faults, costs and the next step. */
import { placeOfSite, thrownText } from '../../core/recording/sites/site-names.ts';
import { stepsOf } from '../../core/steps.ts';
import type { Frame, Site } from '../../model/documents/recorded/call-site.ts';
import type { RecordedMessages, RecordingHeader, Total } from '../../model/documents/recorded/recording.ts';
import type {
  AnalyzedRecording,
  Traffic,
  TrafficCost,
  TrafficFinding,
} from '../../model/documents/recorded/traffic.ts';
import type { PayloadReport, Run } from '../../model/documents/report.ts';
import type { Step } from '../../model/documents/step.ts';
import { isToProcess } from '../../model/recording/recording.ts';
import { mainRun } from '../../model/report/runs.ts';
import type { Wording } from '../../model/report/wording.ts';
import { atMost } from '../text/groups.ts';
import { bytes, bytesInterval, count, counted, percent, time } from '../text/numbers.ts';
import { foldedPath } from '../text/paths.ts';
import { code, type Words } from '../words.ts';
import { adviceShort, adviceWithGain } from './runs.ts';

/** An analyzed site of a recording. */
export interface SiteRow {
  payload: PayloadReport;
  traffic: Traffic;
  /** Run on the runtime of the program; null if none could be analyzed. */
  run: Run | null;
  /** Steps that hold on the runtime of the program. */
  steps: readonly Step[];
  /** The first step in a few words, for tables. */
  short: string;
  savesMs: number | null;
}

/** Rows of the payloads that belong to a recording; null for others. */
export function toSiteRow(payload: PayloadReport, { file, runtime }: AnalyzedRecording, words: Wording) {
  const { traffic, source } = payload;
  if (traffic === undefined || source.file !== file) return null;
  const run = mainRun(payload, runtime);
  const steps = stepsOf({ runs: run === null ? [] : [run], traffic });
  // A loss is skipped here: the section of the payload names it.
  const step = steps.find(({ kind }) => kind !== 'lost');
  const short = step === undefined ? run && adviceShort(run) : stepShort(step, words);
  const row: SiteRow = { payload, traffic, run, steps, short: short ?? '', savesMs: step?.savesMs ?? null };
  return row;
}

function stepShort({ kind, remedy = '', gain, traffic }: Step, words: Wording): string | undefined {
  if (kind === 'rejected') return 'fix the causes';
  if (kind === 'fewer') return 'no rewrite';
  if (kind === 'rewrite') return adviceWithGain(remedy, gain ?? null);
  return traffic && words.traffic[traffic]?.short;
}

// Places and threads of a recorded program, in the form that readers know.

const PACKAGES = 'node_modules/';

/** Path that starts at the package's name: the place of its installation does not matter. */
function shortPath(text: string): string {
  const at = text.lastIndexOf(PACKAGES);
  return at < 0 ? text : text.slice(at + PACKAGES.length);
}

export const threadText = (thread: string): string =>
  thread.includes(PACKAGES) ? `${thread.split(' ', 1)[0]} ${shortPath(thread)}` : thread;

export const placeWords = ({ file, line, column, name }: Frame): Words => [
  code(`${shortPath(file)}:${line}:${column}`),
  name !== null && [' in ', code(name)],
];

/** Frame of the program, or of the library if the program's frame is unknown. */
export const frameOf = ({ user, library }: Site): Frame | null => user ?? library?.frame ?? null;

// Sizes.

/** "~1.09 MB (95 % interval 1.07–1.11 MB)" */
export const estimateText = (size: Total): string =>
  `${totalText(size)}${size.ci[0] === size.ci[1] ? '' : ` (95 % interval ${bytesInterval(size.ci)})`}`;

export const totalText = ({ total, ci: [low, high] }: Total): string =>
  `${low === high ? '' : '~'}${bytes(total)}`;

/** "1,200 × ~900 B"; "3 messages" if the size is unknown. */
export function sizeText({ count: sent, bytes: size }: Pick<Traffic, 'count' | 'bytes'>): string {
  if (size === null) return counted(sent, 'message');
  return `${count(sent)} × ${totalText({ ...size, total: size.total / Math.max(1, sent) })}`;
}

// Faults.

const MAX_THROWN = 3;

/** Messages that never arrived because the post threw. */
export const thrownTexts = ({ thrown = [] }: Pick<RecordingHeader, 'thrown'>): string[] =>
  atMost(
    MAX_THROWN,
    thrown.map(thrownText),
    (others) => `${counted(others, 'more kind')} of posts that threw`,
  );

/** Messages that the receiver could not read, or that got lost between processes, which nothing else would report. */
export const lostTexts = (
  { unread = [] }: Pick<RecordingHeader, 'unread'>,
  messages: readonly Pick<RecordedMessages, 'site' | 'api' | 'count' | 'received' | 'estimated'>[],
): string[] => [
  ...unread.map(
    ({ thread, count: got }) =>
      `${thread} got ${counted(got, 'message')} that it could not read (messageerror)`,
  ),
  ...messages.flatMap((one) => {
    const lost =
      one.received === null || one.estimated || !isToProcess(one.api) ? 0 : one.count - one.received;
    return lost > 0 ? `${placeOfSite(one)}: ${lost} of ${counted(one.count, 'message')} never arrived` : [];
  }),
];

/** Singular words for titles, used if the count is one (ONE), or the total is one (ONE_OF). */
const ONE: Readonly<Record<string, string>> = { were: 'was', are: 'is', have: 'has' };
const ONE_OF: Readonly<Record<string, string>> = { messages: 'message', entries: 'entry', calls: 'call' };

/** "4 of 12 timed calls took ...", about 41.9 MB; the fix would save about 12.0 ms" */
export function findingText(finding: TrafficFinding, title = `${finding.rule}: {count} of {of}`): string {
  const { count: found, of = found, bytes: size, ns, hereNs, savesMs } = finding;
  const { equal = 0, paths = [], share = 1 } = finding;
  const words: Readonly<Record<string, string>> = {
    ...{ count: count(found), of: count(of ?? found), ns: time(ns ?? 0), here: time(hereNs ?? 0) },
    // Long lists and texts are sampled, so "100 %" is never claimed.
    equal: `${Math.min(99, Math.floor(equal * 100))} %`,
    share: percent(share),
    paths: paths.length === 0 ? 'parts that were not looked at' : paths.map(foldedPath).join(', '),
    ...((of ?? found) === 1 ? ONE_OF : {}),
    ...(found === 1 ? ONE : {}),
  };
  const filled = title.replace(/\{(\w+)\}/g, (_, name: string) =>
    Object.hasOwn(words, name) ? words[name]! : name,
  );
  const amount = size === null ? '' : `, about ${bytes(size)}`;
  const saves = savesMs === null ? '' : `; the fix would save about ${time(savesMs * 1e6)}`;
  return `${filled}${amount}${saves}.`;
}

// Costs. Measured costs and the times of recorded calls are never added or put into one column.

type Costed = { traffic: Pick<Traffic, 'cost'> };
export type CostKind = TrafficCost['of'];

/** Kind of cost in a table of these sites: measured, if any site was measured. */
export const kindOf = (sites: readonly Costed[]): CostKind =>
  sites.some(({ traffic }) => traffic.cost?.of === 'measured') ? 'measured' : 'send';

/** Cost of a site, or null if it is of a different kind. */
export const costOf = ({ traffic: { cost } }: Costed, kind: CostKind): TrafficCost | null =>
  cost?.of === kind ? cost : null;

/** "2.0 % of the time that all recorded calls took" */
export const SHARE_OF: Readonly<Record<CostKind, string>> = {
  measured: 'what was measured',
  send: 'the time that all recorded calls took',
};

/** What the costs of the sites are, for their table. */
export function costTexts(sites: readonly Costed[]): string[] {
  const costs = sites.flatMap(({ traffic }) => traffic.cost ?? []);
  if (costs.length === 0) return [];
  if (kindOf(sites) === 'send')
    return ['Cost: how long the recorded calls took; what the receiver pays is not in it.'];
  const recorded = costs.filter(({ of }) => of === 'send');
  const sum = (of: 'totalMs' | 'share') => recorded.reduce((all, cost) => all + cost[of], 0);
  const calls = `the calls took ${time(sum('totalMs') * 1e6)} in the program`;
  return [
    'Cost: messages × send and receive of one, measured here; shares are of the sites that were measured.',
    ...(recorded.length === 0
      ? []
      : [
          `Unmeasured: ${counted(recorded.length, 'site')}; ${calls}, ${percent(sum('share'))} of ${SHARE_OF.send}.`,
        ]),
  ];
}

/** Sites that were left out. They are not measured, so all shares in this sentence are of the recorded calls. */
export function leftText({ left }: Pick<AnalyzedRecording, 'left'>, sites: readonly Costed[]) {
  if (left.groups === 0) return null;
  const others = `; the sites above have ${percent(1 - left.share)}`;
  const share = `, ${percent(left.share)} of ${SHARE_OF.send}${kindOf(sites) === 'measured' ? others : ''}`;
  const more = `And ${counted(left.groups, 'more site')}: ${counted(left.messages, 'message')}`;
  // The number can be typed, since it lacks a comma.
  const all = `--top ${left.groups + sites.length} analyzes all.`;
  return left.share > 0 ? `${more}${share}. ${all}` : `${more}; ${all}`;
}
