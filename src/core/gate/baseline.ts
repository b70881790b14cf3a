import { BASELINE_SCHEMA } from '../../model/document-ids.ts';
import type {
  Baseline,
  BaselineFacts,
  BaselinePayload,
  BaselineSample,
  Demands,
} from '../../model/documents/baseline.ts';
import type { Unchecked } from '../../model/documents/check.ts';
import type { Channel } from '../../model/names.ts';

/** Facts of one payload on one runtime over one channel, to be written into the baseline. */
export interface RecordedFacts {
  id: string;
  key: string;
  facts: BaselineFacts;
  /** `faithful`: true if the value parsed from `json` has the same facts on this runtime. */
  sample: { json: unknown; masked?: true; faithful: boolean } | null;
}

/** Key of a runtime in the baseline: its name in the config, because exact versions differ between machines. */
export const runtimeKey = (spec: string, channel: Channel): string =>
  channel === 'worker' ? spec : `${spec} ${channel}`;

/**
 * Adds new facts to the old baseline.
 *
 * @param removed facts of the old baseline that are no longer checked
 */
export function updatedBaseline(
  old: Baseline | null,
  recorded: readonly RecordedFacts[],
  removed: readonly Pick<Unchecked, 'payload' | 'runtime'>[] = [],
): Baseline {
  const gone = new Set(removed.map(({ payload, runtime }) => JSON.stringify([payload, runtime])));
  const payloads = new Map<string, BaselinePayload>();
  for (const [id, { runtimes, ...rest }] of Object.entries(old?.payloads ?? {})) {
    const kept = Object.entries(runtimes).filter(([key]) => !gone.has(JSON.stringify([id, key])));
    if (kept.length > 0) payloads.set(id, { runtimes: Object.fromEntries(kept), ...rest });
  }
  for (const { id, key, facts } of recorded) {
    const sample = sampleOf(recorded.filter((one) => one.id === id));
    const runtimes = { ...payloads.get(id)?.runtimes, [key]: facts };
    payloads.set(id, { runtimes, ...(sample ? { sample } : {}) });
  }
  return { schema: BASELINE_SCHEMA, payloads: Object.fromEntries(payloads) };
}

/** One copy for all runtimes. `notFor` lists the runtimes on which the copy and the payload have different facts. */
function sampleOf(recorded: readonly RecordedFacts[]): BaselineSample | null {
  const kept = recorded.find(({ sample }) => sample !== null)?.sample;
  if (!kept) return null;
  const { faithful: _, ...sample } = kept;
  const notFor = recorded.filter(({ sample: own }) => !own?.faithful).map(({ key }) => key);
  return { ...sample, ...(notFor.length === 0 ? {} : { notFor }) };
}

export const factsOnly = ({ schema, payloads }: Baseline): Baseline => ({
  schema,
  payloads: Object.fromEntries(Object.entries(payloads).map(([id, { runtimes }]) => [id, { runtimes }])),
});

/** True if the baseline holds values of payloads, not only facts. */
export const hasSamples = ({ payloads }: Baseline): boolean =>
  Object.values(payloads).some(({ sample }) => sample);

/** Reads an own property only: a name may be any text, even `constructor`. */
const at = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

export const factsIn = (baseline: Baseline | null, id: string, key: string): BaselineFacts | null =>
  at(at(baseline?.payloads ?? {}, id)?.runtimes ?? {}, key) ?? null;

const kindOf = (id: string): string | null => /^(.*#.*?)(?:~[0-9a-z]+)?$/s.exec(id)?.[1] ?? null;

/** Facts of the largest payload with this kind of lines: "events#order" and "events#order~1ry4ezz" are one kind. */
export function largestOfKind(baseline: Baseline | null, id: string, key: string): BaselineFacts | null {
  const alike = Object.keys(baseline?.payloads ?? {}).filter((name) => kindOf(name) === kindOf(id));
  const facts = kindOf(id) === null ? [] : alike.flatMap((name) => factsIn(baseline, name, key) ?? []);
  return facts.sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0))[0] ?? null;
}

export const sampleIn = (baseline: Baseline | null, id: string): BaselineSample | null =>
  at(baseline?.payloads ?? {}, id)?.sample ?? null;

/** One difference between two baselines. `from` is null for an addition, `to` for a removal. */
export interface BaselineChange {
  payload: string;
  /** null if the change concerns the payload as a whole. */
  runtime: string | null;
  what: string;
  from: string | null;
  to: string | null;
}

const FIELDS = ['path', 'class', 'bytes', 'nodes', 'depth'] as const;

const placeTexts = (facts: BaselineFacts | undefined, field: 'blockers' | 'losses') =>
  (facts?.[field] ?? []).map(({ rule, path }) => `${rule} at ${path}`);

/** Differences between the old and the new facts of one payload. */
export function factChanges(was: BaselineFacts, is: BaselineFacts) {
  const numbers = FIELDS.filter((field) => was[field] !== is[field]).map((what) => {
    return { what, from: String(was[what]), to: String(is[what]) };
  });
  const places = (['blockers', 'losses'] as const).flatMap((field) => {
    const [old, now] = [placeTexts(was, field), placeTexts(is, field)];
    const what = field === 'blockers' ? 'blocker' : 'loss';
    return [
      ...now.filter((text) => !old.includes(text)).map((to) => ({ what, from: null, to })),
      ...old.filter((text) => !now.includes(text)).map((from) => ({ what, from, to: null })),
    ];
  });
  return [...numbers, ...places];
}

/** Sorted names of both records, each with its old and its new value. */
const pairs = <T>(before: Readonly<Record<string, T>>, now: Readonly<Record<string, T>>) =>
  [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .sort()
    .map((name) => ({ name, was: at(before, name), is: at(now, name) }));

/** Differences between two baselines, sorted by the names of payloads and runtimes. */
export function changesOf(old: Baseline | null, now: Baseline): BaselineChange[] {
  const payloads = pairs(old?.payloads ?? {}, now.payloads).flatMap(({ name, was, is }): BaselineChange[] => {
    if (was && is) return payloadChanges(name, was, is);
    return [{ payload: name, runtime: null, what: 'payload', from: was ? name : null, to: is ? name : null }];
  });
  return [...payloads, ...(old === null ? [] : demandChanges(old.demands, now.demands))];
}

function payloadChanges(payload: string, before: BaselinePayload, now: BaselinePayload): BaselineChange[] {
  const runtimes = pairs(before.runtimes, now.runtimes).flatMap(({ name: runtime, was, is }) =>
    was && is
      ? factChanges(was, is).map((change) => ({ payload, runtime, ...change }))
      : [{ payload, runtime, what: 'runtime', from: was ? runtime : null, to: is ? runtime : null }],
  );
  const [old, copy] = [before.sample ?? null, now.sample ?? null];
  const sample = { payload, runtime: null, what: 'sample', from: old && 'old', to: copy && 'new' };
  return JSON.stringify(old) === JSON.stringify(copy) ? runtimes : [...runtimes, sample];
}

/** Changes of the demands, per payload. If only one baseline keeps demands, one change stands for all. */
function demandChanges(old: Demands | undefined, now: Demands | undefined): BaselineChange[] {
  const change = { runtime: null, what: 'demands', from: old ? 'old' : null, to: now ? 'new' : null };
  if (!old || !now) return old === now ? [] : [{ ...change, payload: 'config' }];
  const texts = ({ payloads, ...terms }: Demands) =>
    Object.fromEntries([['config', terms], ...payloads.map((one) => [one.name, one] as const)]);
  return pairs(texts(old), texts(now))
    .filter(({ was, is }) => JSON.stringify(was) !== JSON.stringify(is))
    .map(({ name }) => ({ ...change, payload: name }));
}

/** Compares by code unit, not by locale: reports and baseline files must be the same on every machine. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
