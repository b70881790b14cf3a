/**
 * Bytes of all messages of one class, estimated from the sized messages by a ratio. Every message has an extent, a
 * cheap size that is about as large as its bytes; the sized messages show how many bytes a unit of it is.
 */
import type { Total } from '../../../../model/documents/recorded/recording.ts';
import { studentFactor } from '../../../stats/student.ts';

export interface SizedMessage {
  extent: number;
  bytes: number;
  /** If not all of the message was seen: half width of the 95 % interval of its bytes, as a share. */
  error?: number;
  /** Messages that were posted since the previous sized message; 1 if that is not known. */
  stands?: number;
}

/** All messages, with the sum of their extents. */
interface AllMessages {
  count: number;
  extent: number;
}

const CONFIDENCE = 0.95;
/** In most cases few messages were sized, so the usual deviation counts as much as this number of messages. */
const USUAL_MESSAGES = 2;
/** Standard deviation of bytes per unit of extent, as a share: if extents are the bytes, and if they say nothing. */
const TOLD = 0.003;
const BLIND = 0.38;
/** The farther bytes are from extents, the less extents say: logarithm of the ratio at two thirds of the way. */
const UNTOLD = 0.8;
/** Messages may differ from all sized messages: this share, divided by the number of sized messages. */
const DRIFT = 0.1;
/** A sum of squares below this is 0, apart from rounding. */
const ROUNDING = 1e-9;
/** A wider interval has ends that mean nothing. */
const MAX_LOG = Math.log(4);

const sumBy = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0);
const bytesOf = ({ bytes }: SizedMessage): number => bytes;
const standsOf = ({ stands = 1 }: SizedMessage): number => stands;

/**
 * @param sized messages that were sized
 * @param areCounted false if the sized messages are similar to the messages of the total, but not among them
 * @returns null if none was sized
 */
export function totalBytes(
  sized: readonly SizedMessage[],
  { count, extent }: AllMessages,
  areCounted = true,
): Total | null {
  if (sized.length === 0) return null;
  const counted = areCounted ? sized : [];
  const known = sumBy(counted, bytesOf);
  const others = Math.max(0, count - counted.length);
  const untold = Math.max(others, extent - sumBy(counted, (one) => one.extent));
  const ratio =
    sumBy(sized, (one) => standsOf(one) * one.bytes) / sumBy(sized, (one) => standsOf(one) * one.extent);
  const rest = others === 0 ? 0 : ratio * untold;
  const total = Math.round(known + rest);
  const factor = Math.exp(others === 0 ? 0 : Math.min(MAX_LOG, halfWidth(sized, ratio, others)));
  // Each was counted by other parts.
  const errors = Math.hypot(...sized.map(({ error = 0, bytes }) => error * bytes));
  const error = Math.log1p(errors / Math.max(1, sumBy(sized, bytesOf)));
  const wider = (end: number) => Math.exp(Math.hypot(Math.log(Math.max(1, end) / Math.max(1, total)), error));
  return {
    total,
    ci: [Math.round(total / wider(known + rest / factor)), Math.round(total * wider(known + rest * factor))],
    max: sized.reduce((most, { bytes }) => Math.max(most, bytes), 0),
  };
}

/** Half width of the interval of the messages that were not sized, as the logarithm of a factor. */
function halfWidth(sized: readonly SizedMessage[], ratio: number, others: number): number {
  const meanStands = sumBy(sized, standsOf) / sized.length;
  const weight = (one: SizedMessage) => standsOf(one) / meanStands;
  // Sums are more uncertain if some of the messages stand for more others than the rest.
  const uneven = sumBy(sized, (one) => weight(one) ** 2) / sized.length;
  const effective = sized.length / uneven;
  const squares = sumBy(sized, (one) => weight(one) * (one.bytes / (ratio * one.extent) - 1) ** 2);
  if (ratio === 0) return 0;
  const drift = DRIFT / effective;
  if (sized.length > 1 && squares < ROUNDING) return drift;
  const usual = TOLD + BLIND * (1 - Math.exp(-Math.abs(Math.log(ratio)) / UNTOLD));
  const freedom = USUAL_MESSAGES + effective - 1;
  const variance = (USUAL_MESSAGES * usual ** 2 + squares / uneven) / freedom;
  const scatter = Math.sqrt(variance * (1 / effective + 1 / others));
  return Math.hypot(studentFactor(CONFIDENCE, freedom) * scatter, drift);
}
