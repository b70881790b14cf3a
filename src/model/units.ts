/** Numbers with units: "64 kB", "+10 %". A number without a unit is ambiguous, so it is rejected. Counts as texts. */

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

export function sizeOf(text: string): number | null {
  const [, value, unit] = SIZE.exec(text) ?? [];
  return unit === undefined ? null : Math.round(Number(value) * (SIZE_UNITS[unit] ?? 1));
}

/** "+10%" -> 0.1; null if the text is not a growth. */
export function growthOf(text: string): number | null {
  const [, value] = OVER.exec(text) ?? [];
  return value === undefined ? null : Number(value) / 100;
}

/** "20,000", in every locale. */
export function count(value: number): string {
  if (Math.abs(value) >= 1e21) return value.toExponential(2);
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "1 message", "20,000 messages" */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
