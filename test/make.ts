/** Complete, typed values for tests, with overrides: a test names only what it is about. */

import type { Blocker, Finding, Verdict } from '../src/model/documents/classification.ts';
import type { Histogram, Measurement, RatioEstimate } from '../src/model/documents/measurement.ts';
import type { RuntimeId } from '../src/model/documents/names.ts';
import type {
  RecordedMessages,
  Recording,
  RecordingHeader,
} from '../src/model/documents/recorded/recording.ts';
import type { AnalyzedRecording, Traffic } from '../src/model/documents/recorded/traffic.ts';
import type { PayloadReport, Report, Run } from '../src/model/documents/report.ts';
import { type Facts, FLAGS, type Shape } from '../src/model/documents/shape.ts';
import type { SweepPoint, SweepReport } from '../src/model/documents/sweep.ts';
import type { Advice, Trial } from '../src/model/documents/trial.ts';
import {
  ENGINE_OF,
  type EngineName,
  RECORDING_SCHEMA,
  REPORT_SCHEMA,
  type RuntimeName,
  SWEEP_SCHEMA,
} from '../src/model/names.ts';
import type { Recipe } from '../src/model/report/recipe.ts';
import { type Flag, KINDS, type Kind } from '../src/model/vocabulary/shape.ts';
import type { Proof } from '../src/model/wire/wire.ts';

/** Makes such a value, with what is different. */
const like =
  <T extends object>(usual: T) =>
  (more: Partial<T> = {}): T => ({ ...structuredClone(usual), ...more });

/** "bun@1.4.5" */
export function runtime(spec: `${RuntimeName}@${string}`): RuntimeId {
  const [name, version = ''] = spec.split('@') as [RuntimeName, string];
  return { name, version, engine: ENGINE_OF[name] };
}

export function facts(pattern: string, kind: Facts['kind'], more: Partial<Facts> = {}): Facts {
  return { pattern, depth: 0, parent: null, kind, flags: [], count: 1, example: pattern, ...more };
}

export const shape = like<Shape>({
  ...{ nodes: 1204, depth: 4, jsonBytes: 5120, jsonSafe: true },
  patterns: [
    facts('$', 'object', { flags: [], size: { min: 3, max: 3, total: 3 } }),
    facts('$.task', 'object', { depth: 1, parent: 'object', size: { min: 12, max: 12, total: 12 } }),
  ],
  truncated: { patterns: false, depth: false, items: false },
  representation: { by: 'bun-jsc', engine: 'jsc' },
});

export const verdict = like<Verdict>({
  ...{ path: 'serializer', class: 'serialized', confirmed: true, aspired: null },
  ...{ blockers: [], upgrade: null, unknowns: [] },
});

export function finding(rule: string, path: string, more: Partial<Finding> = {}): Finding {
  return { rule, level: 'slow', path, count: 1, example: path.replaceAll('[*]', '[0]'), ...more };
}

export function blocker({ rule, path, count, example }: Finding): Blocker {
  return { rule, path, count, example };
}

/** Round trips around this median, ns, with two peaks, as they often have. */
const histogramOf = (median: number): Histogram => ({
  from: Math.log10(median * 0.8),
  to: Math.log10(median * 4),
  counts: COUNTS,
});

const COUNTS = [2, 9, 40, 160, 410, 620, 480, 260, 120, 70, 90, 130, 80, 40, 18, 9, 5, 3, 2, 1, 0, 1, 0, 1];

export function measurement(median: number, more: Partial<Measurement> = {}): Measurement {
  const around = (at: number): [number, number] => [at * 0.97, at * 1.04];
  return {
    roundTrip: {
      ...{ median, ci: around(median), p95: median * 1.42, p99: median * 2.3, samples: 2551, processes: 5 },
      histogram: histogramOf(median),
    },
    send: { median: median * 0.31, ci: around(median * 0.31) },
    receive: { median: median * 0.44, ci: around(median * 0.44) },
    cold: { roundTrip: median * 3.1 },
    floor: { roundTrip: 9100, send: 850, receive: 640 },
    peakMemory: { bytes: 786432, perMessage: 12288, messages: 64 },
    gc: { count: 12, share: 0.013 },
    ...more,
  };
}

export const estimate = (ratio: number): RatioEstimate => ({ ratio, ci: [ratio * 0.97, ratio * 1.03] });

export function trial(remedy: string, ratio: number | null, more: Partial<Trial> = {}): Trial {
  const outcome = ratio === null ? 'refused' : ratio < 0.95 ? 'faster' : 'slower';
  const path = more.path ?? '$';
  return {
    ...{ remedy, path, plan: { path }, equality: 'equal', losses: [], peakMemory: null },
    withConversion: ratio === null ? null : estimate(ratio),
    inPlace: ratio === null ? null : estimate(ratio * 0.6),
    ...{ outcome, outcomeInPlace: outcome },
    ...more,
  };
}

export function advice(action: Advice['action'], more: Partial<Advice> = {}): Advice {
  return { action, remedy: null, path: null, gain: null, code: null, ...more };
}

/** Bytes of a post of which nothing is moved or shared. */
export const copied = (bytes: number): NonNullable<Run['bytes']> => ({
  ...{ copied: bytes, moved: 0, shared: 0, by: 'serializer' },
});

/** `bytes: null`: the post is refused, or failed. */
type RunMore = Partial<Omit<Run, 'bytes'>> & { bytes?: Run['bytes'] | null };

export function run(spec: `${RuntimeName}@${string}`, { bytes = copied(5311), ...more }: RunMore = {}): Run {
  return {
    runtime: runtime(spec),
    channel: 'worker',
    status: 'measured',
    error: null,
    shape: shape(),
    verdict: verdict(),
    findings: [],
    ...(bytes && { bytes }),
    measurement: measurement(412_000),
    trials: [],
    advice: advice('nothing'),
    ...more,
  };
}

export const classified = (spec: `${RuntimeName}@${string}`, more: RunMore = {}): Run =>
  run(spec, { status: 'classified', measurement: null, advice: null, ...more });

export const failed = (spec: `${RuntimeName}@${string}`, error: Run['error']): Run =>
  classified(spec, { status: 'failed', error, shape: null, verdict: null, bytes: null });

export function payload(id: string, runs: Run[], more: Partial<PayloadReport> = {}): PayloadReport {
  return { id, source: { file: `fixtures/${id}.json`, export: null }, error: null, runs, ...more };
}

export function report(...payloads: PayloadReport[]): Report {
  const machine = { os: 'linux', arch: 'x64', cpu: 'AMD EPYC 7763', cores: 2, memoryBytes: 8_321_499_136 };
  return { schema: REPORT_SCHEMA, tool: { version: '0.1.0' }, machine, seed: 1, payloads };
}

type RowOptions = Partial<Omit<Facts, 'pattern' | 'kind' | 'flags'>>;

function parentOf(pattern: string): Kind | null {
  if (pattern === '$') return null;
  if (pattern.endsWith('[*]') || pattern.endsWith(']..')) return 'array';
  if (/\{(key|value)\}$/.test(pattern)) return 'map';
  return pattern.endsWith('{member}') ? 'set' : 'object';
}

const depthOf = (pattern: string) =>
  pattern.slice(1).match(/\.\.|\.\*|\.\w+|\[[^\]]+\]|\{\w+\}/g)?.length ?? 0;

/** `row('$[*].id', 'number', ['int32'])`: parent and depth are read off the pattern. */
export function row(
  pattern: string,
  kind: Kind,
  flags: readonly Flag[] = [],
  options: RowOptions = {},
): Facts {
  return {
    pattern,
    kind,
    flags: [...flags],
    depth: depthOf(pattern),
    parent: parentOf(pattern),
    count: 1,
    example: pattern.replaceAll('[*]', '[0]').replaceAll('{value}', '{value:0}'),
    ...options,
  };
}

/**
 * `rowsIn('$ array size=3 packed-smi; $[*] number ×3 int32')`: rows with their counts, sizes, tags and flags.
 * @throws Error for a word that is none of them
 */
export const rowsIn = (text: string): Facts[] =>
  text.split('; ').map((one) => {
    const [pattern = '', kind, ...words] = one.split(' ');
    const given: Record<string, string> = {};
    const flags = words.filter((word) => {
      const [, name = 'count', value] = /^(?:×|(size|bytes|tag)=)(\w+)$/.exec(word) ?? [];
      if (value !== undefined) given[name] = value;
      return value === undefined;
    });
    const known: readonly unknown[] = [...FLAGS, ...KINDS];
    const unknown = [kind, ...flags].filter((word) => !known.includes(word));
    if (unknown.length > 0) throw new Error(`no kind and no flags: ${unknown}`);
    const { size, bytes, tag } = given;
    const [count, each, most] = [given.count ?? 1, size, bytes].map(Number) as [number, number, number];
    return row(pattern, kind as Kind, flags as Flag[], {
      count,
      ...(tag && { tag }),
      ...(bytes && { bytes: { max: most, total: most * count } }),
      ...(size && { size: { min: each, max: each, total: each * count } }),
    });
  });

export const shapeOf = (engine: EngineName, ...patterns: Facts[]): Shape =>
  shape({
    ...{ jsonBytes: null, patterns, representation: { by: 'assumed', engine } },
    nodes: patterns.reduce((sum, facts) => sum + facts.count, 0),
    depth: Math.max(...patterns.map((facts) => facts.depth)),
  });

export const header = like<RecordingHeader>({
  ...{ schema: RECORDING_SCHEMA, tool: { version: '0.1.0' }, command: ['node', 'app.js'] },
  runtime: { name: 'node', version: '20.20.2', engine: 'v8' },
  ...{ processes: 1, threads: 3, elapsedMs: 1234, overheadMs: 12, exit: { code: 0, signal: null } },
  ...{ values: 'none', gaps: [] },
});

export const messages = like<RecordedMessages>({
  site: { user: { file: 'src/pool.js', line: 41, column: 10, name: 'run' }, library: null },
  ...{ api: 'Worker.postMessage', from: 'main', to: 'worker src/resize.js', threads: 1 },
  ...{ count: 1200, received: 1200, estimated: false },
  bytes: { total: 1_200_000, ci: [1_190_000, 1_210_000], max: 1000 },
  send: { timed: 100, median: 5000, max: 90_000, total: 6_000_000, long: 0 },
  ...{ queue: { max: 4, last: 0 }, looked: 100, envelope: null, sameObject: 0 },
  transfer: {
    ...{ messages: 100, listed: 0, possible: 0, possibleBytes: 0, useless: 0, hiddenBytes: 0, pooled: 0 },
  },
  times: { stepMs: 100, counts: [600, 600] },
  sample: { is: 'object', entries: [['a', 1]] },
});

export const recording = (
  more: Partial<RecordingHeader> = {},
  groups: readonly Partial<RecordedMessages>[] = [{}],
): Recording => ({ header: header(more), messages: groups.map((more) => messages(more)) });

export const analyzedRecording = like<AnalyzedRecording>({
  ...header({ gaps: [{ what: 'a worker with an environment of its own', count: 2 }] }),
  unread: [{ thread: 'worker src/resize.js', count: 2 }],
  ...{ file: 'app.cprof', messages: 5200, sized: 4000 },
  bytes: { total: 48_200_000, ci: [47_100_000, 49_900_000], max: 2_000_000 },
  times: { stepMs: 100, counts: [900, 1200, 0, 0, 400, 1100, 0, 0, 12, 700, 800, 88] },
  left: { groups: 3, messages: 41, share: 0.021 },
});

const { sample: _, ...posted } = messages();

export const traffic = like<Traffic>({
  ...posted,
  cost: { perMessageNs: 309_000, totalMs: 370.8, share: 0.62, of: 'measured' },
  lint: [],
  values: { from: 'made-up', seed: 1, differences: [] },
});

export const sweepPoint = like<SweepPoint>({
  ...{ runtime: { name: 'node', version: '24.0.0' }, channel: 'worker', payload: 'rows', unit: 'items' },
  ...{ strategy: 'raw', size: 1, roundTrip: null, send: null, receive: null, ratio: null },
  ...{ peakMemory: null, published: null, error: null },
});

export function sweepReport(points: SweepPoint[], more: Partial<SweepReport> = {}): SweepReport {
  const { machine, tool, seed } = report();
  return {
    ...{ schema: SWEEP_SCHEMA, tool, machine, seed, preset: null, title: 'rows', dimension: null },
    ...{ points, crossovers: [], standings: [], folklore: null, leftOut: [], interrupted: false },
    ...more,
  };
}

export const proof = like<Proof>({
  ...{ remedy: 'json-text', plan: { path: '$' }, equality: 'equal', losses: [], reason: null },
});

/** A JSON file, if `more` does not say otherwise. */
export function recipe(id: string, more: Partial<Recipe> = {}): Recipe {
  const file = `${id}.json`;
  return { id, source: { file, export: null }, build: { form: 'json', file: `/${file}` }, ...more };
}

/** An export of a module. */
export function moduleRecipe(id: string, name: string, file = `${id}.mjs`): Recipe {
  const build = { form: 'module', file: `/${file}`, original: file, export: name } as const;
  return { id, source: { file, export: name === '*' ? null : name }, build };
}

export const MACHINE = { os: 'testos 1.0', arch: 'x64', cpu: 'Test CPU', cores: 2, memoryBytes: 8e9 };
