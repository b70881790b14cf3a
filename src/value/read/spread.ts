/** Multiples of this are spread evenly without a period, because elements may have a period of four, like pixels. */
const GOLDEN = 0.6180339887498949;

export const spreadShare = (turn: number): number => (turn * GOLDEN) % 1;

/** Long data is read completely up to `most` units; otherwise, this number of parts is read, of `units` each. */
export type Parts = Record<'most' | 'parts' | 'units', number>;

/** Calls `read` with the range of each part, spread from start to end. @returns number of units that are read */
export function readParts(
  length: number,
  { most, parts, units }: Parts,
  read: (from: number, to: number) => void,
): number {
  if (length <= most) {
    read(0, length);
    return length;
  }
  for (let i = 0; i < parts; i++) {
    const from = Math.floor((i * (length - units)) / (parts - 1));
    read(from, from + units);
  }
  return parts * units;
}
