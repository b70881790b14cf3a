/**
 * Messages of one class by their order of magnitude. Sizes of small messages say nothing of large ones, so each order
 * has its own total. Orders that are far apart are separate groups: a rewrite that helps large results in an envelope
 * may not help small ones.
 */
import type { Total } from '../../../../model/documents/recorded/recording.ts';
import { type LookedMessage, sizesOf } from '../looked-messages.ts';
import { type SizedMessage, totalBytes } from './total.ts';

/** Messages of one order of magnitude. */
interface Stratum {
  sizeClass: number;
  count: number;
  /** Sum of the extents of all. */
  extent: number;
}

export interface StratumSeen extends Stratum {
  /** Half width of the 95 % interval of the count, as a share. */
  countError: number;
  seen: readonly LookedMessage[];
  /** Messages of the same class from any site: used if no message in `seen` was described. */
  alike: readonly LookedMessage[];
}

/** Groups by order of magnitude, the smallest first. */
function strataOf<S extends Stratum>(parts: readonly S[]): S[][] {
  const strata = new Map<number, S[]>();
  for (const part of parts) strata.set(part.sizeClass, [...(strata.get(part.sizeClass) ?? []), part]);
  return [...strata].sort(([a], [b]) => a - b).map(([, own]) => own);
}

const sumOf = (parts: readonly Stratum[], field: 'count' | 'extent'): number =>
  parts.reduce((sum, part) => sum + part[field], 0);
const meanExtent = (parts: readonly Stratum[]): number =>
  sumOf(parts, 'extent') / Math.max(1, sumOf(parts, 'count'));

/** Means that are so far apart, with nothing between them. */
const APART = 20;
/** Smaller messages are not separated by their sizes. */
const SMALL = 100;

/** @returns the same parts in groups. Sizes that grow step by step stay together. */
export function magnitudesOf<S extends Stratum>(parts: readonly S[]): S[][] {
  const groups: S[][] = [];
  let last = 0;
  for (const own of strataOf(parts)) {
    const mean = Math.max(SMALL, meanExtent(own));
    if (groups.length > 0 && mean < APART * last) groups.at(-1)!.push(...own);
    else groups.push([...own]);
    last = mean;
  }
  return groups;
}

/** Sized messages are more frequent among the first ones: each stands for the messages around it. */
function withStands({ seen, count }: StratumSeen): SizedMessage[] {
  const ordered = sizesOf(seen).sort((a, b) => a.nth - b.nth);
  const last = Math.max(count, (ordered.at(-1)?.nth ?? 0) + 1);
  return ordered.map((one, i) => {
    const from = i === 0 ? 0 : (ordered[i - 1]!.nth + one.nth + 1) / 2;
    const to = i === ordered.length - 1 ? last : (one.nth + ordered[i + 1]!.nth + 1) / 2;
    return { ...one, stands: to - from };
  });
}

/** Estimated from its own messages, else from messages of the same class. Null if none of them was sized. */
export function groupBytes(parts: readonly StratumSeen[]): Total | null {
  const alike = parts.flatMap((part) => sizesOf(part.alike));
  const totals = strataOf(parts).flatMap((own) => {
    const all = { count: sumOf(own, 'count'), extent: sumOf(own, 'extent') };
    const sized = own.flatMap(withStands);
    return (sized.length > 0 ? totalBytes(sized, all) : totalBytes(alike, all, false)) ?? [];
  });
  if (totals.length === 0) return null;
  const total = totals.reduce((sum, one) => sum + one.total, 0);
  const extent = Math.max(1, sumOf(parts, 'extent'));
  const counted = parts.reduce((sum, part) => sum + (part.countError * part.extent) / extent, 0) * total;
  // Errors of different orders are independent.
  const down = Math.hypot(counted, ...totals.map((one) => one.total - one.ci[0]));
  const up = Math.hypot(counted, ...totals.map((one) => one.ci[1] - one.total));
  return {
    total,
    ci: [Math.max(0, Math.round(total - down)), Math.round(total + up)],
    max: Math.max(...totals.map(({ max }) => max)),
  };
}

/** The described message whose extent is nearest to the mean of the order of magnitude with the most bytes. */
export function typicalMessage(parts: readonly StratumSeen[]): LookedMessage | null {
  const heaviest = strataOf(parts).sort((a, b) => sumOf(b, 'extent') - sumOf(a, 'extent'));
  for (const own of heaviest) {
    const mean = meanExtent(own);
    for (const from of ['seen', 'alike'] as const) {
      const described = own.flatMap((part) => part[from]).filter(({ tree }) => tree !== undefined);
      const distance = ({ extent }: LookedMessage) => Math.abs(extent - mean);
      const [nearest] = described.sort((a, b) => distance(a) - distance(b));
      if (nearest !== undefined) return nearest;
    }
  }
  return null;
}
