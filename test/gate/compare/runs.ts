/** Runs, limits and entries of the config for the tests of the gate. */
import type { NamedEntry } from '../../../src/gate/compare/limits.ts';
import type { BaselineFacts } from '../../../src/model/documents/baseline.ts';
import type { CheckReport, LimitResult } from '../../../src/model/documents/check.ts';
import type { Blocker, Finding } from '../../../src/model/documents/classification.ts';
import type { Run } from '../../../src/model/documents/report.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import type { CostClass, Level } from '../../../src/model/names.ts';
import * as make from '../../make.ts';
import { row, shapeOf } from '../../make.ts';

export function entryWith(limits: NamedEntry['limits'], transfer: string[] = []): NamedEntry {
  return {
    id: 'rows',
    runtime: 'bun@1.4.5',
    input: 'rows.json',
    export: null,
    as: null,
    runtimes: ['bun'],
    channels: ['worker'],
    via: null,
    transfer,
    remedies: [],
    limits,
  };
}

export const finding = (rule: string, level: Level, path: string, count = 1): Finding =>
  make.finding(rule, path, { level, count });
export const blocker = (rule: string, path: string): Blocker => make.blocker(make.finding(rule, path));

export interface RunFacts {
  class?: CostClass;
  blockers?: Blocker[];
  findings?: Finding[];
  rows?: Facts[];
  copied?: number | null;
  error?: string;
}

export function run({
  class: cost = 'in-memory',
  blockers = [],
  findings = [],
  rows = [row('$', 'array')],
  ...facts
}: RunFacts): Run {
  const { copied = null, error } = facts;
  if (error !== undefined) return make.failed('bun@1.4.5', { code: 'guest-timeout', message: error });
  const verdict = make.verdict({ class: cost, confirmed: null, blockers });
  return make.classified('bun@1.4.5', {
    shape: shapeOf('jsc', ...rows),
    verdict,
    findings,
    bytes: copied === null ? null : make.copied(copied),
  });
}

export const BEFORE: BaselineFacts = {
  path: 'simple-array',
  class: 'in-memory',
  blockers: [{ rule: 'jsc/hole', path: '$' }],
  bytes: 1000,
  nodes: 10,
  depth: 2,
  losses: [],
  heaviest: { '$[*].name': 100, '$[*].text': 500 },
};

export const text = (pattern: string, total: number) =>
  row(pattern, 'string', [], { bytes: { total, max: total } });
export const view = (pattern: string, total: number, backing: number, more: Partial<Facts> = {}) =>
  row(pattern, 'typedarray', more.flags ?? [], { bytes: { total, max: total, backing }, ...more });

/** What one limit found. */
export function resultWith(more: Partial<LimitResult>): LimitResult {
  return {
    payload: 'rows',
    runtime: 'bun@1.4.5',
    channel: 'worker',
    limit: 'class',
    level: 'error',
    outcome: 'passed',
    written: 'in-memory',
    against: null,
    expected: 'in-memory',
    actual: 'in-memory',
    was: null,
    change: null,
    path: null,
    example: null,
    rule: null,
    file: 'fixtures/rows.json',
    line: null,
    ...more,
  };
}

/** All parts of a check. */
export const partOf = (
  results: LimitResult[],
  more: Partial<CheckReport> = {},
): Omit<CheckReport, 'schema' | 'passed'> => ({
  tool: { version: '0.0.0' },
  shard: null,
  inputs: { config: 'c', baseline: 'b', baselineFile: 'b.json' },
  results,
  failures: [],
  ...more,
});
