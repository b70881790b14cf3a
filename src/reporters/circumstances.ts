/** What stands beside the times: where they went, who stood still, how quiet the machine was, and the load. */
import type { Blocked, LoadPoint, Phases, Run, RunNoise } from '../model/report.ts';
import type { Column } from './grid.ts';
import { bytes, count, percent, time } from './numbers.ts';
import { nameOf } from './runs.ts';

/** Less of one way than this is said by nobody: medians of four things do not add up exactly. */
const NOTICED_REST = 0.15;

/** "transit 12.0 µs", "300 µs of one way (22 %) in none of the three". */
export function phaseFacts({ oneWay, transit, unaccounted }: Phases): string[] {
  const share = Math.abs(unaccounted) / oneWay;
  const rest = `${time(Math.abs(unaccounted))} of one way (${percent(share)})`;
  const said = unaccounted > 0 ? `${rest} in none of the three` : `${rest} with both threads at work`;
  return [`transit ${time(transit)}`, ...(share < NOTICED_REST ? [] : [said])];
}

const EXCEEDED = {
  frame: 'longer than a frame at 60 Hz (16 ms)',
  'long-task': 'a long task (50 ms): whatever else it serves has to wait',
} as const;

function blockedWords({ senderNs, receiverNs, longestNs, exceeds }: Blocked): string | null {
  if (exceeds === null) return null;
  const receiver = receiverNs ?? 0;
  const [who, ns] = receiver > senderNs ? ['receiver', receiver] : ['sender', senderNs];
  return `One message keeps the ${who} from all else for up to ${time(ns)}, ${EXCEEDED[exceeds]}. The longest of all took ${time(longestNs)}.`;
}

const NOISES: Record<RunNoise['beyond'][number], (noise: RunNoise) => string> = {
  stolen: ({ strain }) => `${percent(strain?.stolen ?? 0)} of the time was stolen by other machines`,
  throttled: ({ strain }) => `the CPU quota took away ${percent(strain?.throttled ?? 0)} of the time`,
  spread: ({ floor }) =>
    `the same empty message differed by ${percent(floor?.spread ?? 0)} between processes`,
  drift: ({ floor }) =>
    `the empty message moved by ${percent(Math.expm1(floor?.drift ?? 0))} within a process`,
  bursts: ({ floor }) => `${percent(floor?.bursts ?? 0)} of the empty messages took over five times as long`,
  modes: () => 'the empty message had two speeds',
};

/** Below this the percentage would read 0. */
const WORTH_SAYING = 0.005;

function noiseWords(noise: RunNoise): string | null {
  if (noise.beyond.length === 0) return null;
  const widened =
    noise.widened >= WORTH_SAYING ? ` Intervals are widened by ${percent(noise.widened)} for it.` : '';
  return `Noise: ${noise.beyond.map((kind) => NOISES[kind](noise)).join('; ')}.${widened}`;
}

/** The runs of one section, each note with the name of its runtime where there are several. */
export function circumstanceNotes(runs: readonly Run[]): string[] {
  return runs.flatMap((run) => {
    const { measurement, noise } = run;
    const notes = [
      measurement?.blocked ? blockedWords(measurement.blocked) : null,
      noise === undefined ? null : noiseWords(noise),
      ...(measurement?.load ?? []).map((point) => growthWords(point, run.wireBytes)),
    ].filter((note) => note !== null);
    return runs.length === 1 ? notes : notes.map((note) => `${nameOf(run)}: ${note}`);
  });
}

const perSecond = (rate: number): string => `${count(Math.round(rate))}/s`;

/** The "leak" that is none: what is offered beyond what the receiver takes piles up. */
function growthWords({ growing, offered, throughput }: LoadPoint, wireBytes: number | null): string | null {
  if (!growing || offered === null) return null;
  const rest = Math.max(0, offered - throughput);
  const memory = wireBytes === null ? '' : `, ${bytes(rest * wireBytes)} a second on the wire alone`;
  return `At ${perSecond(offered)} the queue grows as long as it goes on: ${perSecond(throughput)} are taken${memory}. It looks like a leak and is none: wait for answers before sending more.`;
}

/** One row for each offer. */
export function loadGrid(points: readonly LoadPoint[]): Column[] {
  const cells = (cellOf: (point: LoadPoint) => string): string[] => points.map(cellOf);
  return [
    { key: 'load', head: 'load', cells: cells(offerWords) },
    {
      key: 'throughput',
      head: 'taken',
      cells: cells(({ throughput }) => perSecond(throughput)),
      align: 'right',
    },
    {
      key: 'latency',
      head: 'latency',
      cells: cells(({ latency }) => time(latency.median)),
      align: 'right',
    },
    { key: 'p99', head: 'p99', cells: cells(({ latency }) => time(latency.p99)), align: 'right', rank: 2 },
    {
      key: 'waiting',
      head: 'waiting',
      cells: cells(({ waiting }) => count(Math.round(waiting.median))),
      align: 'right',
    },
    {
      key: 'most',
      head: 'at most',
      cells: cells(({ waiting }) => count(Math.round(waiting.most))),
      align: 'right',
      rank: 1,
    },
    { key: 'growing', head: '', cells: cells(standingWords) },
  ];
}

/** A full window waits by its own rule. */
const standingWords = ({ window, growing }: LoadPoint): string =>
  growing ? 'grows' : window === null ? 'keeps up' : '';

const offerWords = ({ window, offered }: LoadPoint): string =>
  window === null ? `${perSecond(offered ?? 0)} due` : `${count(window)} on the way`;
