/** Layout of `<pid>-<thread>.cnt`: Float64, little-endian. A parent can write the counters of a terminated thread. */

export const COUNTERS_MAGIC = 0xc10e_0001;

/** Fields before the groups. Each has one writer: the thread itself, or its parent. */
export const HEADER = {
  magic: 0,
  pid: 1,
  thread: 2,
  /** Number of the thread's parent in its own process; -1 for the first. */
  parentThread: 3,
  /** Messages in all; progress when the file was last written. */
  total: 4,
  written: 5,
  overheadMs: 6,
  failures: 7,
  /** 1: in memory that the parent has too, and writes too. MAPPED: the memory is the file. */
  shared: 14,
  /** Messages that arrived here and could not be read: events messageerror. */
  unread: 15,
} as const;
export const MAPPED = 2;
const HEADER_FIELDS = 16;

/** Between them: messages that were sent and received, and the longest queue; -1 if both ends count each for itself. */
export const WAYS = {
  /** From the thread that started it to this one, by Worker.postMessage. */
  down: { sent: 8, received: 9, max: 10 },
  /** The way back, by parentPort.postMessage. */
  up: { sent: 11, received: 12, max: 13 },
} as const;
export type Way = keyof typeof WAYS;

export const GROUP = {
  count: 0,
  extent: 1,
  timed: 2,
  sendSumNs: 3,
  sendMaxNs: 4,
  sendLong: 5,
  /** Messages compared with the previous message, and the number of them that were the same object. */
  compared: 6,
  same: 7,
  stepMs: 8,
  /** Maximum number of messages that waited for the receiver at a post of the group, the posted message included. */
  queueMax: 9,
  times: 10,
  histogram: 26,
} as const;
export const TIME_STEPS = GROUP.histogram - GROUP.times;
/** Calls that take longer are long: a frame of 60 Hz. */
export const FRAME_MS = 1000 / 60;
/** Half octaves from 2^8 ns on. */
export const HISTOGRAM_STEPS = 39;
const GROUP_FIELDS = GROUP.histogram + HISTOGRAM_STEPS;

export const MAX_GROUPS = 48;
export const THREAD_FIELDS = HEADER_FIELDS + MAX_GROUPS * GROUP_FIELDS;

/** Grows with each counted message and with the time that recording takes: counters are written if it has changed. */
export const progressOf = (counters: Float64Array): number =>
  counters[HEADER.total]! +
  counters[WAYS.down.sent]! +
  counters[WAYS.down.received]! +
  counters[WAYS.up.received]! +
  counters[HEADER.unread]! +
  // Not Math.floor: it may be the program's.
  (counters[HEADER.overheadMs]! - (counters[HEADER.overheadMs]! % 1));

export const groupStart = (group: number): number => HEADER_FIELDS + group * GROUP_FIELDS;

/** Lower end of a step of the histogram, ns. */
export const histogramStep = (step: number): number => 2 ** (8 + step / 2);

/** @param bytes content of `<pid>-<thread>.cnt` @returns null if it is not what a tap writes */
export function readCounters(bytes: Uint8Array): Float64Array | null {
  if (bytes.byteLength !== THREAD_FIELDS * 8) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = Float64Array.from({ length: THREAD_FIELDS }, (_, i) => view.getFloat64(i * 8, true));
  const isPossible = fields.every((field) => field >= -1 && field <= Number.MAX_SAFE_INTEGER);
  return isPossible && fields[HEADER.magic] === COUNTERS_MAGIC ? fields : null;
}
