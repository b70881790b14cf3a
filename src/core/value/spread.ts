/** Which of many are read, if not all are. */

/** Multiples of it are spread evenly, without a period: elements may be four by four, as those of pixels. */
const GOLDEN = 0.6180339887498949;

/** Numbers from 0 to below 1, spread evenly however many are taken. */
export const spreadShare = (turn: number): number => (turn * GOLDEN) % 1;

/** Where a part of so many units begins, if several parts are spread from the start to the end of a whole. */
export const partStart = (part: number, parts: number, units: number, length: number): number =>
  Math.floor((part * (length - units)) / (parts - 1));
