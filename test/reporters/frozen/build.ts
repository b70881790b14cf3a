/** Typed parts of frozen Reports: complete values with overrides. */

import { REPORT_SCHEMA } from '../../../src/model/document-ids.ts';
import type { Blocker, Finding, Verdict } from '../../../src/model/documents/classification.ts';
import type { Histogram, Measurement, RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { RuntimeId } from '../../../src/model/documents/names.ts';
import type { PayloadReport, Report, Run } from '../../../src/model/documents/report.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import { ENGINE_OF, type RuntimeName } from '../../../src/model/names.ts';

/** "bun@1.4.5" */
export function runtime(spec: `${RuntimeName}@${string}`): RuntimeId {
  const [name, version = ''] = spec.split('@') as [RuntimeName, string];
  return { name, version, engine: ENGINE_OF[name] };
}

export function facts(pattern: string, kind: Facts['kind'], more: Partial<Facts> = {}): Facts {
  return { pattern, depth: 0, parent: null, kind, flags: [], count: 1, example: pattern, ...more };
}

export function shape(more: Partial<Shape> = {}): Shape {
  return {
    nodes: 1204,
    depth: 4,
    jsonBytes: 5120,
    jsonSafe: true,
    patterns: [
      facts('$', 'object', { flags: [], size: { min: 3, max: 3, total: 3 } }),
      facts('$.task', 'object', { depth: 1, parent: 'object', size: { min: 12, max: 12, total: 12 } }),
    ],
    truncated: { patterns: false, depth: false, items: false },
    representation: { by: 'bun-jsc', engine: 'jsc' },
    ...more,
  };
}

export function verdict(more: Partial<Verdict> = {}): Verdict {
  return {
    path: 'serializer',
    class: 'serialized',
    confirmed: true,
    aspired: null,
    blockers: [],
    upgrade: null,
    unknowns: [],
    ...more,
  };
}

export function finding(rule: string, path: string, more: Partial<Finding> = {}): Finding {
  return { rule, level: 'slow', path, count: 1, example: path.replaceAll('[*]', '[0]'), ...more };
}

export function blocker({ rule, path, count, example }: Finding): Blocker {
  return { rule, path, count, example };
}

/** Two peaks, as round trips often have. */
/** Of round trips around this median, ns. */
export const histogramOf = (median: number): Histogram => ({
  from: Math.log10(median * 0.8),
  to: Math.log10(median * 4),
  counts: COUNTS,
});

const COUNTS = [2, 9, 40, 160, 410, 620, 480, 260, 120, 70, 90, 130, 80, 40, 18, 9, 5, 3, 2, 1, 0, 1, 0, 1];

export function measurement(median: number, more: Partial<Measurement> = {}): Measurement {
  const around = (at: number): [number, number] => [at * 0.97, at * 1.04];
  return {
    roundTrip: {
      median,
      ci: around(median),
      p95: median * 1.42,
      p99: median * 2.3,
      samples: 2551,
      processes: 5,
      histogram: histogramOf(median),
    },
    send: { median: median * 0.31, ci: around(median * 0.31) },
    receive: { median: median * 0.44, ci: around(median * 0.44) },
    cold: { roundTrip: median * 3.1 },
    floor: { roundTrip: 9100, send: 850, receive: 640 },
    wireBytes: 5311,
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
    remedy,
    path,
    plan: { path },
    equality: 'equal',
    losses: [],
    withConversion: ratio === null ? null : estimate(ratio),
    inPlace: ratio === null ? null : estimate(ratio * 0.6),
    peakMemory: null,
    outcome,
    outcomeInPlace: outcome,
    ...more,
  };
}

export function advice(action: Advice['action'], more: Partial<Advice> = {}): Advice {
  return { action, remedy: null, path: null, gain: null, code: null, ...more };
}

export function run(spec: `${RuntimeName}@${string}`, more: Partial<Run> = {}): Run {
  return {
    runtime: runtime(spec),
    channel: 'worker',
    status: 'measured',
    error: null,
    shape: shape(),
    verdict: verdict(),
    findings: [],
    wireBytes: 5311,
    measurement: measurement(412_000),
    trials: [],
    advice: advice('nothing'),
    ...more,
  };
}

export const classified = (spec: `${RuntimeName}@${string}`, more: Partial<Run> = {}): Run =>
  run(spec, { status: 'classified', measurement: null, advice: null, ...more });

export const failed = (spec: `${RuntimeName}@${string}`, error: Run['error']): Run =>
  run(spec, {
    status: 'failed',
    error,
    shape: null,
    verdict: null,
    wireBytes: null,
    measurement: null,
    advice: null,
  });

export function payload(id: string, runs: Run[], more: Partial<PayloadReport> = {}): PayloadReport {
  return { id, source: { file: `fixtures/${id}.json`, export: null }, error: null, runs, ...more };
}

export function report(...payloads: PayloadReport[]): Report {
  return {
    schema: REPORT_SCHEMA,
    tool: { version: '0.1.0' },
    machine: {
      os: 'linux',
      arch: 'x64',
      cpu: 'AMD EPYC 7763',
      cores: 2,
      memoryBytes: 8_321_499_136,
    },
    seed: 1,
    payloads,
  };
}
