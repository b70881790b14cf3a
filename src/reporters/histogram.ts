import type { RoundTrip } from '../model/report.ts';

type Histogram = NonNullable<RoundTrip['histogram']>;

/** Counts pooled into `cells` neighbours, as shares of the highest cell (0 to 1); empty when there is nothing. */
export function heights({ counts }: Histogram, cells: number): number[] {
  const width = Math.min(cells, counts.length);
  if (width < 1) return [];
  const pooled = new Array<number>(width).fill(0);
  counts.forEach((count, index) => {
    const cell = Math.floor((index * width) / counts.length);
    pooled[cell] = (pooled[cell] ?? 0) + count;
  });
  const highest = Math.max(...pooled);
  return highest > 0 ? pooled.map((count) => count / highest) : [];
}

/** Ends of the histogram in ns. */
export const ends = ({ from, to }: Histogram): [number, number] => [10 ** from, 10 ** to];
