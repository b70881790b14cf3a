/** Labels beside the places that they belong to, without one on another. */

/** Neighbours in one block have one mean: the least squares fit that never descends (pool adjacent violators). */
function ascending(values: readonly number[]): number[] {
  const blocks: { mean: number; size: number }[] = [];
  for (const value of values) {
    let block = { mean: value, size: 1 };
    for (let last = blocks.at(-1); last !== undefined && last.mean > block.mean; last = blocks.at(-1)) {
      blocks.pop();
      const size = last.size + block.size;
      block = { mean: (last.mean * last.size + block.mean * block.size) / size, size };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ mean, size }) => new Array<number>(size).fill(mean));
}

/**
 * Places between `low` and `high`, each as near to the wanted one as can be, with `gap` between neighbours; less where
 * there is no room for it. In the order of `wanted`.
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const step = Math.min(gap, (high - low) / Math.max(1, wanted.length - 1));
  const order = [...wanted.keys()].sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const highest = high - step * (wanted.length - 1);
  const fitted = ascending(order.map((index, nth) => wanted[index]! - nth * step));
  const placed = new Array<number>(wanted.length);
  for (const [nth, index] of order.entries())
    placed[index] = Math.min(highest, Math.max(low, fitted[nth]!)) + nth * step;
  return placed;
}

/** Where a line of ascending x has this x; its nearest end outside of it. Null for a line without points. */
export function heightAt(line: readonly (readonly [number, number])[], x: number): number | null {
  const [first] = line;
  if (first === undefined) return null;
  const right = line.findIndex(([at]) => at >= x);
  if (right === 0) return first[1];
  if (right < 0) return line.at(-1)![1];
  const [[fromX, fromY], [toX, toY]] = [line[right - 1]!, line[right]!];
  return fromY + ((x - fromX) / (toX - fromX)) * (toY - fromY);
}
