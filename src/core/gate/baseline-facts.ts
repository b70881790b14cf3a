import type { BaselineFacts } from '../../model/documents/baseline.ts';
import type { Blocker, Finding } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import { copiedBytes } from '../../model/report/runs.ts';
import { withoutDataKeys } from '../masking.ts';
import { isAtOrBelow } from '../paths.ts';
import { has } from '../shape-facts.ts';
import { sumOf, sumsBy } from '../sums.ts';
import { byCodeUnit } from './baseline.ts';

/** Facts of a run that are equal on every machine; null if the run lacks a verdict or a shape. */
export function factsOf(run: Run): BaselineFacts | null {
  const { verdict, shape } = run;
  if (!verdict || !shape) return null;
  const plain = withoutDataKeys(shape);
  return {
    path: verdict.path,
    class: verdict.class,
    blockers: rulesAtPaths(verdict.blockers, plain),
    bytes: bytesOf(run),
    nodes: shape.nodes,
    depth: shape.depth,
    losses: rulesAtPaths(
      run.findings.filter(({ level }) => level === 'lossy'),
      plain,
    ),
    heaviest: heaviestOf(shape),
  };
}

/** Bytes that a post copies, or bytes of the JSON text if the post is refused; null if neither is known. */
export const bytesOf = (run: Run): number | null => copiedBytes(run) ?? run.shape?.jsonBytes ?? null;

type RuleAtPath = Record<'rule' | 'path', string>;

/** Sorted and without duplicates: findings may differ only in details that a baseline does not keep. */
function rulesAtPaths(found: readonly RuleAtPath[], plain: (path: string) => string): RuleAtPath[] {
  const places = found.map(({ rule, path }) => ({ rule, path: plain(path) }));
  const byText = new Map(places.map((place) => [`${place.rule} ${place.path}`, place]));
  return [...byText].sort(([a], [b]) => byCodeUnit(a, b)).map(([, entry]) => entry);
}

const KEPT_PATTERNS = 8;

/** Rough size of a value without byte facts: a number, a tag and a reference. */
const USUAL_BYTES = 8;

const weightOf = ({ bytes, count }: Facts) => bytes?.backing ?? bytes?.total ?? USUAL_BYTES * count;

const summed = (
  patterns: Shape['patterns'],
  weigh: (row: Facts) => number,
  name = (pattern: string) => pattern,
) => sumsBy(patterns, ({ pattern }) => name(pattern), weigh);

/** Patterns with the most bytes and their bytes, sorted by pattern. */
function heaviestOf(shape: Shape): Record<string, number> {
  const heavy = [...summed(shape.patterns, weightOf, withoutDataKeys(shape))]
    .filter(([, bytes]) => bytes > 0)
    .sort((a, b) => b[1] - a[1] || byCodeUnit(a[0], b[0]))
    .slice(0, KEPT_PATTERNS);
  return Object.fromEntries(heavy.sort((a, b) => byCodeUnit(a[0], b[0])));
}

const mostOf = (weights: Iterable<[string, number]>): string | null => {
  let most: [string, number] = ['', 0];
  for (const one of weights) if (one[1] > most[1]) most = one;
  return most[1] > 0 ? most[0] : null;
};

/** Pattern whose bytes grew most since the baseline; if no bytes grew, the pattern with the most bytes. */
export function heaviest(shape: Shape, was: BaselineFacts | null): string | null {
  if (was === null) return mostOf(summed(shape.patterns, weightOf));
  const now = summed(shape.patterns, weightOf, withoutDataKeys(shape));
  const kept = Object.values(was.heaviest);
  // A pattern that the baseline does not keep had at most the bytes of the smallest kept pattern.
  const notKept = kept.length < KEPT_PATTERNS ? 0 : Math.min(...kept);
  const before = (path: string) => (Object.hasOwn(was.heaviest, path) ? was.heaviest[path] : null) ?? notKept;
  const grown = mostOf([...now].map(([path, bytes]) => [path, bytes - before(path)]));
  return (grown && longerList(grown, now, was)) ?? grown ?? mostOf(now);
}

/** Factors of growth count as equal up to this relative difference. */
const ALIKE = 0.1;

/** Outermost list around `grown` that gained items of unchanged size: all its known patterns grew by one factor. */
function longerList(
  grown: string,
  now: ReadonlyMap<string, number>,
  { heaviest: was }: BaselineFacts,
): string | null {
  const share = (path: string) => (now.get(path) ?? 0) / was[path]!;
  const known = Object.keys(was);
  const lists = known.filter((path) => path.endsWith('[*]') && isAtOrBelow(grown, path));
  const isLonger = (list: string) =>
    share(list) > 1 + ALIKE &&
    known.every((path) => !isAtOrBelow(path, list) || Math.abs(share(path) / share(list) - 1) <= ALIKE);
  return lists.sort((a, b) => a.length - b.length).find(isLonger) ?? null;
}

/** Pattern that most values share. */
export const mostNumerous = ({ patterns }: Shape): string | null =>
  mostOf(summed(patterns, ({ count }) => count));

export const deepest = ({ patterns }: Shape): string | null =>
  [...patterns].sort((a, b) => b.depth - a.depth)[0]?.pattern ?? null;

const isShared = (row: Facts) => row.kind === 'sharedarraybuffer' || has(row, 'shared-backing');

/**
 * Ratio of the bytes that a clone copies to the bytes that the views show: the whole buffer of a view is copied. Rows
 * that are transferred (`isMoved`) are not copied at all.
 *
 * @returns bytes copied over bytes meant, 1 when there is no buffer; the pattern with the most bytes copied needlessly
 */
export function amplificationOf({ patterns }: Shape, isMoved: (row: Facts) => boolean = () => false) {
  const copied = patterns.filter(
    (row) => row.bytes?.backing !== undefined && !isShared(row) && !isMoved(row),
  );
  const backing = ({ bytes }: Facts) => bytes?.backing ?? 0;
  const meant = ({ bytes }: Facts) => bytes?.total ?? 0;
  const all = sumOf(copied, backing);
  return {
    ratio: all === 0 ? 1 : all / Math.max(1, sumOf(copied, meant)),
    path: mostOf(summed(copied, (row) => backing(row) - meant(row))),
  };
}

function newBlockers({ verdict, shape }: Run, was: BaselineFacts | null): Blocker[] {
  const known = new Set(was?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  const plain = shape ? withoutDataKeys(shape) : (path: string) => path;
  return (verdict?.blockers ?? []).filter(({ rule, path }) => !known.has(`${rule} ${plain(path)}`));
}

/** Cause of more time or memory of a payload: a new blocker, else the pattern that grew most. */
export function causeOfIncrease(run: Run, was: BaselineFacts) {
  const [blocker] = newBlockers(run, was);
  const path = blocker?.path ?? (run.shape && heaviest(run.shape, was)) ?? '$';
  return { path, example: blocker?.example ?? null, rule: blocker?.rule ?? null };
}

/** Cause of the class of a payload: a new blocker, else the first blocker, else the worst finding. */
export function causeOfClass(run: Run, was: BaselineFacts | null) {
  const { verdict, findings } = run;
  const added = newBlockers(run, was);
  const [first, ...others] = added.length > 0 ? added : (verdict?.blockers ?? []);
  const worst = (wanted: Finding['level']) => findings.find(({ level }) => level === wanted);
  const cause = first ?? worst('rejected') ?? worst('slow');
  const more = others.length;
  return {
    path: cause?.path ?? '$',
    example: cause?.example ?? null,
    rule: cause?.rule ?? null,
    ...(more === 0 ? {} : { reason: `and ${more} more path${more === 1 ? '' : 's'}` }),
  };
}
