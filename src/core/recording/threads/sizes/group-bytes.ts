/** Bytes of a group: those of each order of magnitude by the messages of it that were sized. */
import type { Total } from '../../../../model/documents/recorded/recording.ts';
import { type LookedMessage, sizesOf, typicalOf } from '../looked-messages.ts';
import { type SizedMessage, totalBytes } from './bytes-regression.ts';

interface Part {
  sizeClass: number;
  count: number;
  hintSum: number;
  seen: readonly LookedMessage[];
  /** Messages of the same class from any site: used where none of its own was described. */
  alike: readonly LookedMessage[];
}

interface Stratum {
  count: number;
  hintSum: number;
  sized: SizedMessage[];
  alike: SizedMessage[];
}

/** Those that were sized are more frequent among the first messages: each stands for those around it. */
function withStands(sized: readonly (SizedMessage & { nth: number })[], count: number): SizedMessage[] {
  const ordered = [...sized].sort((a, b) => a.nth - b.nth);
  const last = Math.max(count, (ordered.at(-1)?.nth ?? 0) + 1);
  return ordered.map((one, i) => {
    const from = i === 0 ? 0 : (ordered[i - 1]!.nth + one.nth + 1) / 2;
    const to = i === ordered.length - 1 ? last : (one.nth + ordered[i + 1]!.nth + 1) / 2;
    return { ...one, stands: to - from };
  });
}

function strataOf(parts: readonly Part[]): Stratum[] {
  const strata = new Map<number, Stratum>();
  for (const { sizeClass, count, hintSum, seen, alike } of parts) {
    const one = strata.get(sizeClass) ?? { count: 0, hintSum: 0, sized: [], alike: [] };
    one.count += count;
    one.hintSum += hintSum;
    one.sized.push(...withStands(sizesOf(seen), count));
    one.alike.push(...sizesOf(alike));
    strata.set(sizeClass, one);
  }
  return [...strata.values()];
}

/** By its own messages, else by those of other sites and then of other magnitudes. */
function stratumBytes({ count, hintSum, sized, alike }: Stratum, all: readonly Stratum[]): Total | null {
  if (sized.length > 0) return totalBytes(sized, count, hintSum);
  if (alike.length > 0) return totalBytes(alike, count, hintSum, false);
  const others = all.flatMap((one) => [...one.sized, ...one.alike]);
  return totalBytes(others, count, hintSum, false);
}

/** Errors of different magnitudes have nothing to do with each other. */
function added(totals: readonly Total[]): Total {
  const total = totals.reduce((sum, one) => sum + one.total, 0);
  const down = Math.hypot(...totals.map((one) => one.total - one.ci[0]));
  const up = Math.hypot(...totals.map((one) => one.ci[1] - one.total));
  return {
    total,
    ci: [Math.max(0, Math.round(total - down)), Math.round(total + up)],
    max: Math.max(...totals.map(({ max }) => max)),
  };
}

/** null if no message was sized. */
export function groupBytes(parts: readonly Part[]): Total | null {
  const strata = strataOf(parts);
  const totals = strata.flatMap((one) => stratumBytes(one, strata) ?? []);
  return totals.length === 0 ? null : added(totals);
}

/** Of the magnitude that makes the most bytes. */
export function typicalMessage(parts: readonly Part[]): LookedMessage | null {
  const classes = new Map<number, Part[]>();
  for (const part of parts) classes.set(part.sizeClass, [...(classes.get(part.sizeClass) ?? []), part]);
  const sum = (all: readonly Part[], field: 'count' | 'hintSum') =>
    all.reduce((of, one) => of + one[field], 0);
  const heaviest = [...classes.values()].sort((a, b) => sum(b, 'hintSum') - sum(a, 'hintSum'));
  for (const own of heaviest) {
    const mean = sum(own, 'hintSum') / Math.max(1, sum(own, 'count'));
    const found =
      typicalOf(
        own.flatMap(({ seen }) => seen),
        mean,
      ) ??
      typicalOf(
        own.flatMap(({ alike }) => alike),
        mean,
      );
    if (found !== null) return found;
  }
  return null;
}
