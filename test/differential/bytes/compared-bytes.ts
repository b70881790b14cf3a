import type { PostBytes } from '../../../src/model/documents/classification.ts';

/** Bytes of one message; the error where it is refused. */
export type MeasuredBytes = { bytes: number } | { refused: string };

export interface ByteComparison {
  name: string;
  /** Share by which the told bytes are off; null where one of both is none. */
  off: number | null;
  /** "" when they agree. */
  complaint: string;
}

const MAX_OFF = 0.05;
/** The envelope of a message, and the page that an allocation ends with. */
const ENVELOPE = 6000;

/** @param told null when it is refused, undefined when nothing was told */
export function comparedBytes(
  name: string,
  told: PostBytes | null | undefined,
  measured: MeasuredBytes,
): ByteComparison {
  if (told === undefined) return { name, off: null, complaint: 'nothing was told' };
  if ('refused' in measured) {
    const complaint = told === null ? '' : `told ${told.copied} bytes, refused: ${measured.refused}`;
    return { name, off: null, complaint };
  }
  const { bytes } = measured;
  if (told === null) return { name, off: null, complaint: `told to be refused, ${bytes} bytes` };
  const apart = Math.abs(told.copied - bytes);
  const off = apart <= ENVELOPE ? 0 : apart / Math.max(bytes, told.copied);
  const complaint =
    off <= MAX_OFF ? '' : `told ${told.copied} bytes (${told.by}), measured ${Math.round(bytes)}`;
  return { name, off, complaint };
}
