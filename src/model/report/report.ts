import type { Channel, CostClass, LibraryName, PathName, RuntimeId, Sender } from '../names.ts';
import type { PayloadSchema } from '../rules/payload-schema.ts';
import type { Finding, Verdict } from '../rules/rule.ts';
import type { Shape } from '../rules/shape.ts';
import type { Blocked, LoadPoint, Phases } from './phases.ts';
import type { BranchCost, Profile } from './profile.ts';
import type { AnalyzedRecording, Traffic } from './traffic.ts';
import type { Advice, Histogram, Interval, RatioEstimate, Sampled, Trial } from './trial.ts';

export type { Blocked, LoadPoint, Phases } from './phases.ts';
export type {
  Advice,
  Histogram,
  Interval,
  RatioEstimate,
  Sampled,
  Trial,
  TrialOutcome,
} from './trial.ts';

export const REPORT_SCHEMA = 'clone-prof/report@1';

export interface Estimate extends Sampled {
  /** ns */
  median: number;
  ci: Interval;
}

export interface RoundTrip extends Estimate {
  /** Null where a sample is a block of messages: what is rare among blocks is not what is rare among messages. */
  p95: number | null;
  p99: number | null;
  /** How many samples were taken, in how many fresh processes. */
  samples: number;
  /** Messages of one sample, where the clock is too coarse for one; 1 without it. */
  messagesPerSample?: number;
  processes: number;
  histogram?: Histogram;
}

/** What a page can time. */
export interface PageClock {
  /** ns; 0 where it is fine. */
  clockStepNs: number;
  /** Its threads do. False in a page that is not isolated: then receive and memory are not known. */
  sharesMemory: boolean;
}

/** Times in ns. */
export interface Measurement {
  /** Of a page whose clock is coarse, or whose threads share no memory. */
  page?: PageClock;
  /** Of a browser that somebody opened a link with. On a network all samples come from one process. */
  link?: 'this-machine' | 'network';
  /** The thread of a page that posted; its main one without it. */
  sender?: Sender;
  roundTrip: RoundTrip;
  /** How long postMessage blocks the sender; null where the clock of a page is too coarse. */
  send: Estimate | null;
  /** How long deserializing blocks the receiver; null where the channel has no such split. */
  receive: Estimate | null;
  /** First message of a fresh worker; null where the clock of a page is too coarse. */
  cold: { roundTrip: number | null };
  /** The same trip with an empty message: what no rewrite can beat. */
  floor: { roundTrip: number; send: number | null; receive: number | null };
  /** Round trip over that of an empty message, from the same rounds. */
  overFloor?: RatioEstimate;
  wireBytes: number | null;
  peakMemory: { bytes: number; perMessage: number; messages: number } | null;
  gc: { count: number; share: number } | null;
  /** Null where the channel has no separate receiver. */
  phases?: Phases | null;
  blocked?: Blocked | null;
  /** With --load. */
  load?: LoadPoint[];
}

/** Noise of the machine during one run; see core/measure/noise.ts. */
export interface RunNoise {
  /** Null when too few empty messages were timed to tell. */
  floor: { spread: number; drift: number; bursts: number; modes: number } | null;
  /** Signs of noise beyond those of a quiet machine, worst first. */
  beyond: ('spread' | 'drift' | 'bursts' | 'modes' | 'stolen' | 'throttled')[];
  strain: CpuContention | null;
  /** Share by which the intervals were widened for it; 0 when they were not. */
  widened: number;
}

/** Shares of the time, 0 to 1; null where the machine has no such counter. */
export interface CpuContention {
  stolen: number | null;
  throttled: number | null;
}

export interface RunError {
  code: string;
  message: string;
  path?: string;
}

/**
 * The library in whose envelope the payload was posted. Shape, verdict and findings are of its message, where the payload
 * is at `path`; trials, advice and branches are of the payload.
 */
export interface Via {
  library: LibraryName;
  path: string;
  /** False where the library takes no transfer list. */
  transfers: boolean;
  /** Of the payload; that of the run is of the message. */
  shape: Shape | null;
}

/** Of the payload itself, for which rewrites are planned. */
export const payloadShapeOf = ({ via, shape }: Pick<Run, 'via' | 'shape'>): Shape | null =>
  via ? via.shape : shape;

/** One payload on one runtime over one channel. */
export interface Run {
  runtime: RuntimeId;
  channel: Channel;
  via?: Via;
  status: 'measured' | 'classified' | 'failed';
  /** Why it failed, or was classified only. */
  error: RunError | null;
  shape: Shape | null;
  verdict: Verdict | null;
  /** Of a recorded message in a library's envelope: what the rule book says of its value alone. */
  bare?: { class: CostClass; path: PathName };
  findings: Finding[];
  /** Bytes of the message in the engine's own wire format; null where it is not known. */
  wireBytes: number | null;
  measurement: Measurement | null;
  /** What is posted, from which codecs are compiled; null where it has too many kinds of records. Absent where nothing was timed. */
  schema?: PayloadSchema | null;
  trials: Trial[];
  advice: Advice | null;
  noise?: RunNoise;
  /** With --profile. */
  profile?: Profile;
  /** With --by-path: the heaviest branches, the one that costs most first. */
  byPath?: BranchCost[];
}

export interface PayloadReport {
  id: string;
  source: { file: string; export: string | null; line?: number };
  /** Set when the payload could not be loaded; `runs` is empty then. */
  error: RunError | null;
  /** Number of messages of the input that it represents. */
  stands?: number;
  /** Of messages out of a recording. */
  traffic?: Traffic;
  runs: Run[];
}

export interface Machine {
  os: string;
  arch: string;
  cpu: string;
  cores: number;
  memoryBytes: number;
}

export interface Report {
  schema: typeof REPORT_SCHEMA;
  tool: { version: string };
  machine: Machine;
  seed: number;
  /** Day of the run, UTC: "2026-01-31". */
  date?: string;
  /** Those among the inputs. */
  recordings?: AnalyzedRecording[];
  payloads: PayloadReport[];
}
