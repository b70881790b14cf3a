import { fnv1aHex } from '../../model/cut.ts';
import type {
  Baseline,
  BaselineFacts,
  BaselinePayload,
  BaselineSample,
} from '../../model/documents/baseline.ts';
import type { Blocker, Finding } from '../../model/documents/classification.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Facts, Shape } from '../../model/documents/shape.ts';
import type { Channel } from '../../model/names.ts';
import { entryName } from '../../model/run/check-config.ts';
import { groupedBy, sumOf, sumsBy } from '../../model/sums.ts';
import { withoutDataKeys } from '../../value/shape/masking.ts';
import { has } from '../../value/shape/shape-facts.ts';

/** Facts of one payload on one runtime over one channel, to be written into the baseline. */
export interface RecordedFacts {
  id: string;
  entry: string;
  key: string;
  facts: BaselineFacts;
  /** Copy of the payload; null if a value parsed from it has other facts on this runtime. */
  sample: BaselineSample | null;
}

/** Key of a runtime in the baseline: its name in the config, because exact versions differ between machines. */
export const runtimeKey = (spec: string, channel: Channel): string =>
  channel === 'worker' ? spec : `${spec} ${channel}`;

export type BaselinePayloads = Baseline['payloads'];

export function updatedPayloads(
  old: BaselinePayloads,
  recorded: readonly RecordedFacts[],
  isKept: (id: string, key: string, entry: string) => boolean = () => true,
): BaselinePayloads {
  const payloads = new Map<string, BaselinePayload>();
  for (const [id, { runtimes, ...rest }] of Object.entries(old)) {
    const kept = Object.entries(runtimes).filter(([key]) => isKept(id, key, rest.entry));
    if (kept.length > 0) payloads.set(id, { ...rest, runtimes: Object.fromEntries(kept) });
  }
  for (const { id, entry, key, facts, sample } of recorded) {
    const all = recorded.filter((one) => one.id === id);
    const runtimes = { ...payloads.get(id)?.runtimes, [key]: facts };
    // A copy is measured in place of the payload, so it must stand for it on each runtime.
    payloads.set(id, { entry, runtimes, ...(sample && all.every((one) => one.sample) ? { sample } : {}) });
  }
  return Object.fromEntries(payloads);
}

/** Reads an own property only: a name may be any text, even `constructor`. */
const at = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const factsIn = (payloads: BaselinePayloads | null, id: string, key: string): BaselineFacts | null =>
  at(at(payloads ?? {}, id)?.runtimes ?? {}, key) ?? null;

const kindOf = (id: string): string | null => /^(.*#.*?)(?:~[0-9a-z]+)?$/s.exec(id)?.[1] ?? null;

/** Facts of the largest payload with this kind of lines: "events#order" and "events#order~1ry4ezz" are one kind. */
export function largestOfKind(payloads: BaselinePayloads, id: string, key: string): BaselineFacts | null {
  const alike = Object.keys(payloads).filter((name) => kindOf(name) === kindOf(id));
  const facts = kindOf(id) === null ? [] : alike.flatMap((name) => factsIn(payloads, name, key) ?? []);
  return facts.sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))[0] ?? null;
}

export const sampleIn = (payloads: BaselinePayloads, id: string): BaselineSample | null =>
  at(payloads, id)?.sample ?? null;

type Texts = Readonly<Record<string, string>>;

/** Sorted differences of two records. `from` is null for an addition, `to` for a removal. */
function differencesOf(before: Texts, now: Texts) {
  return Object.keys({ ...before, ...now })
    .sort()
    .map((what) => ({ what, from: at(before, what) ?? null, to: at(now, what) ?? null }))
    .filter(({ from, to }) => from !== to);
}

function factTexts({ path, class: name, bytes, nodes, depth, blockers, losses }: BaselineFacts): Texts {
  const places = Object.entries({ blocker: blockers, loss: losses }).flatMap(([what, found]) =>
    found.map(({ rule, path: place }) => [`${what} ${rule} at ${place}`, 'there']),
  );
  return {
    ...{ path, class: name, bytes: String(bytes), nodes: String(nodes), depth: String(depth) },
    ...Object.fromEntries(places),
  };
}

export const factChanges = (was: BaselineFacts, is: BaselineFacts) =>
  differencesOf(factTexts(was), factTexts(is));

/** A part of a baseline as text, which is only shown if it is facts. */
interface Part {
  text: string;
  facts: BaselineFacts | undefined;
}

/** Parts by their names: two branches that change different parts can be merged. */
function partsOf({ payloads, demands }: Omit<Baseline, 'written'>): Map<string, Part> {
  const parts = new Map<string, Part>();
  const add = (name: string, part: object, facts?: BaselineFacts) =>
    parts.set(name, { text: JSON.stringify(part), facts });
  for (const [id, { entry, runtimes, sample }] of Object.entries(payloads)) {
    for (const [key, facts] of Object.entries(runtimes)) add(`${id} on ${key}`, [entry, facts], facts);
    if (sample) add(`copy of ${id}`, sample);
  }
  const { payloads: demanded, ...terms } = demands;
  // Entries for several exports or kinds of lines of a file have one name.
  for (const [name, all] of groupedBy(demanded, entryName))
    add(`demands of ${name}`, all.length === 1 ? all[0]! : all);
  add('demands of the config', terms);
  return parts;
}

/** Differences between two baselines, sorted by their places: "a on bun: class in-memory → serialized". */
export function changesOf(old: Baseline | null, now: Omit<Baseline, 'written'>): string[] {
  const [before, after] = [old ? partsOf(old) : new Map<string, Part>(), partsOf(now)];
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === undefined || is === undefined) {
      // New demands come with their payloads.
      return name.startsWith('demands of ') ? [] : `${is === undefined ? '-' : '+'} ${name}`;
    }
    if (!was.facts || !is.facts) return was.text === is.text ? [] : `${name}: changed`;
    return factChanges(was.facts, is.facts).map(({ what, from, to }) => {
      if (from === null || to === null) return `${name}: ${to === null ? '-' : '+'} ${what}`;
      return `${name}: ${what} ${from} → ${to}`;
    });
  });
}

const hashesOf = (baseline: Omit<Baseline, 'written'>): Record<string, string> =>
  sorted([...partsOf(baseline)].map(([name, { text }]) => [name, fnv1aHex(text)]));

export function editedIn(baseline: Baseline): string[] {
  return differencesOf(baseline.written, hashesOf(baseline)).map(({ what }) => what);
}

/** The same record, sorted by name: the order that parts were added in does not matter. */
const sorted = <T>(parts: Iterable<[string, T]>): Record<string, T> =>
  Object.fromEntries([...parts].sort(([a], [b]) => byCodeUnit(a, b)));

/** Text of a baseline, a field in each line, for readable diffs and clean merges. */
export function baselineText({ schema, payloads, demands }: Omit<Baseline, 'written'>): string {
  const each = Object.entries(payloads).map(([id, payload]): [string, BaselinePayload] => [
    id,
    { ...payload, runtimes: sorted(Object.entries(payload.runtimes)) },
  ]);
  const all = { schema, payloads: sorted(each), demands };
  return `${JSON.stringify({ ...all, written: hashesOf(all) }, null, 2)}\n`;
}

/** Compares by code unit, not by locale: reports and baseline files must be the same on every machine. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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
export const bytesOf = (run: Run): number | null => run.bytes?.copied ?? run.shape?.jsonBytes ?? null;

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

const bytesIn = ({ patterns }: Shape, name = (pattern: string) => pattern) =>
  sumsBy(
    patterns,
    ({ pattern }) => name(pattern),
    ({ bytes, count }) => bytes?.backing ?? bytes?.total ?? USUAL_BYTES * count,
  );

/** Patterns with the most bytes and their bytes, sorted by pattern. */
function heaviestOf(shape: Shape): Record<string, number> {
  const heavy = [...bytesIn(shape, withoutDataKeys(shape))]
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

/**
 * Pattern whose bytes grew most; null if none is known to have grown: a baseline keeps the heaviest patterns alone.
 * @param was null: the pattern with the most bytes @param before the shape of then, if it is at hand
 */
export function heaviest(shape: Shape, was: BaselineFacts | null, before: Shape | null = null) {
  if (was === null) return mostOf(bytesIn(shape));
  const now = bytesIn(shape, withoutDataKeys(shape));
  const kept = before ? bytesIn(before, withoutDataKeys(before)) : new Map(Object.entries(was.heaviest));
  const isWhole = before !== null || kept.size < KEPT_PATTERNS;
  // A pattern that is not kept had at most the bytes of the smallest kept one.
  const notKept = isWhole ? 0 : Math.min(...kept.values());
  const grown = mostOf([...now].map(([path, bytes]) => [path, bytes - (kept.get(path) ?? notKept)]));
  if (grown !== null || isWhole) return grown;
  const others = [...now.keys()].filter((path) => !kept.has(path));
  return others.length === 1 ? others[0]! : null;
}

export const mostNumerous = ({ patterns }: Shape): string | null =>
  mostOf(patterns.map(({ pattern, count }) => [pattern, count]));

export const deepest = ({ patterns }: Shape): string | null =>
  [...patterns].sort((a, b) => b.depth - a.depth)[0]?.pattern ?? null;

const isShared = (row: Facts) => row.kind === 'sharedarraybuffer' || has(row, 'shared-backing');

/** Bytes copied over bytes meant, as the whole buffer of a view is copied; the pattern with the most needless bytes. */
export function amplificationOf({ patterns }: Shape, isMoved: (row: Facts) => boolean = () => false) {
  const copied = patterns.filter(
    (row) => row.bytes?.backing !== undefined && !isShared(row) && !isMoved(row),
  );
  const backing = ({ bytes }: Facts) => bytes?.backing ?? 0;
  const meant = ({ bytes }: Facts) => bytes?.total ?? 0;
  const all = sumOf(copied, backing);
  return {
    ratio: all === 0 ? 1 : all / Math.max(1, sumOf(copied, meant)),
    path: mostOf(copied.map((row) => [row.pattern, backing(row) - meant(row)])),
  };
}

function newBlockers({ verdict, shape }: Run, was: BaselineFacts | null): Blocker[] {
  const known = new Set(was?.blockers.map(({ rule, path }) => `${rule} ${path}`));
  const plain = shape ? withoutDataKeys(shape) : (path: string) => path;
  return (verdict?.blockers ?? []).filter(({ rule, path }) => !known.has(`${rule} ${plain(path)}`));
}

export function causeOfIncrease(run: Run, was: BaselineFacts, before: Shape | null) {
  const [blocker] = newBlockers(run, was);
  const path = blocker?.path ?? (run.shape && heaviest(run.shape, was, before)) ?? '$';
  return { path, example: blocker?.example ?? null, rule: blocker?.rule ?? null };
}

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
    ...(more > 0 && { reason: `and ${more} more path${more === 1 ? '' : 's'}` }),
  };
}
