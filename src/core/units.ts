/** Numbers with their units in the text: "64 kB", "+10 %". A bare number could be anything, so it is none of these. */

const SIZE_UNITS: Record<string, number> = {
  B: 1,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
};

export const SIZE = /^(\d+(?:\.\d+)?) ?(B|kB|MB|GB|KiB|MiB|GiB)$/;
export const OVER = /^\+(\d+(?:\.\d+)?) ?%$/;

/** Bytes; null when the text is no size. */
export function sizeOf(text: string): number | null {
  const [, value, unit] = SIZE.exec(text) ?? [];
  return unit === undefined ? null : Math.round(Number(value) * (SIZE_UNITS[unit] ?? 1));
}

/** "+10%" -> 0.1; null when the text is no growth. */
export function growthOf(text: string): number | null {
  const [, value] = OVER.exec(text) ?? [];
  return value === undefined ? null : Number(value) / 100;
}
