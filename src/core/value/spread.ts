/** Chooses the values that are read, if there are too many to read all. */

/** Multiples of it are spread evenly, without a period: elements may be four by four, as those of pixels. */
const GOLDEN = 0.6180339887498949;

/** Numbers from 0 to below 1, spread evenly however many are taken. */
export const spreadShare = (turn: number): number => (turn * GOLDEN) % 1;

/** Something long is read whole up to `most` units, else in this number of parts of some units. */
export interface Parts {
  most: number;
  parts: number;
  units: number;
}

/** Calls `read` with the range of each part, spread from the start to the end. @returns how many units are read */
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
