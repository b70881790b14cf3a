/** Reports that are too large to be kept as files. */
import type { PayloadReport, Report, Run } from '../../../src/model/documents/report.ts';
import type { Facts } from '../../../src/model/documents/shape.ts';
import {
  advice,
  blocker,
  estimate,
  facts,
  failed,
  finding,
  measurement,
  payload,
  report,
  run,
  runtime,
  shape,
  trial,
  verdict,
} from '../../make.ts';
import { FROZEN } from '../render.ts';

const FIELDS = ['id', 'name', 'email', 'note', 'total', 'placed', 'status', 'street', 'city', 'country'];

/** A list of records with nested ones, as real payloads have. */
function records(count: number): Facts[] {
  const rows = (pattern: string, kind: Facts['kind'], more: Partial<Facts> = {}): Facts =>
    facts(pattern, kind, { count, depth: pattern.split(/[.[]/).length - 1, ...more });
  const field = (parent: string) => (name: string, index: number) =>
    index % 3 === 0
      ? rows(`${parent}.${name}`, 'number', { flags: ['double'] })
      : rows(`${parent}.${name}`, 'string', {
          flags: ['one-byte'],
          size: { min: 4, max: 40, total: count * (4 + 3 * index) },
          bytes: { total: count * (4 + 3 * index), max: 40 },
        });
  return [
    facts('$', 'object', { size: { min: 2, max: 2, total: 2 } }),
    facts('$.rows', 'array', { depth: 1, parent: 'object', size: { min: count, max: count, total: count } }),
    rows('$.rows[*]', 'object', { parent: 'array' }),
    ...FIELDS.map(field('$.rows[*]')),
    rows('$.rows[*].geo', 'object', { parent: 'object' }),
    ...FIELDS.slice(0, 4).map(field('$.rows[*].geo')),
  ];
}

const NESTED = finding('jsc/nested-value', '$.rows[*].geo', { count: 400 });

function measured(index: number): Run {
  const median = 90_000 * 1.13 ** index;
  const gain = 0.3 + (index % 7) / 10;
  return run('bun@1.4.5', {
    shape: shape({ patterns: records(100 + 10 * index) }),
    verdict: verdict({ blockers: [blocker(NESTED)], aspired: 'simple-object' }),
    findings: [NESTED],
    measurement: measurement(median, {
      phases: {
        ...{ oneWay: median / 2, send: median * 0.2, receive: median * 0.22 },
        ...{ transit: median * 0.03, unaccounted: median * 0.05 },
      },
    }),
    trials: [
      trial('json-text', gain, { peakMemory: index % 3 === 0 ? { ratio: 0.7 } : null }),
      trial('columns', gain + 0.2, { path: '$.rows' }),
      trial('flatten', gain + 0.5),
      trial('plain', null, { reason: 'a prototype is lost' }),
    ],
    advice: advice(gain < 0.9 ? 'apply' : 'nothing', {
      ...(gain < 0.9 && { remedy: 'json-text', path: '$', gain: estimate(gain) }),
      code: 'worker.postMessage(toMessage(payload));',
      module: FROZEN.advice?.payloads[0]?.runs[0]?.advice?.module ?? null,
    }),
  });
}

const failure = failed('bun@1.4.5', { code: 'timeout', message: 'the guest did not answer within 30 s' });

/** 50 payloads, one of which failed, one rejected. */
export function fiftyPayloads(): Report {
  const payloads = Array.from({ length: 50 }, (_, index): PayloadReport => {
    const name = `messages/${FIELDS[index % 10]}-${index}`;
    return payload(name, [index === 13 ? failure : measured(index)]);
  });
  return report(...payloads);
}

/** 2 payloads on 3 runtimes. */
export const sixRuns = (): Report =>
  report(
    ...['orders', 'rows'].map((name, index) =>
      payload(name, [
        measured(4 + index),
        { ...measured(9 + index), runtime: runtime('node@24.21.0') },
        { ...measured(12 + index), runtime: runtime('deno@2.9.6') },
      ]),
    ),
  );

/** 4 payloads on 2 runtimes, one of which loses a class. */
export function eightRuns(): Report {
  const lost = finding('spec/class-instance', '$.rows[*].owner', { level: 'lossy', what: 'class User' });
  return report(
    ...['orders', 'rows', 'customers', 'telemetry'].map((name, index) => {
      const first = measured(4 + index);
      return payload(name, [
        index === 2 ? { ...first, findings: [...first.findings, lost] } : first,
        { ...measured(9 + index), runtime: runtime('node@24.21.0') },
      ]);
    }),
  );
}

/** One payload with as many patterns, at which a rule fires now and then. */
export function manyPatterns(patterns: number): Report {
  const one = measured(20);
  const keys = Array.from({ length: patterns }, (_, index) =>
    facts(`$.rows.group${index % 97}.key${index}`, 'string', {
      ...{ depth: 3, parent: 'object', flags: ['one-byte'] },
      bytes: { total: 20 + (index % 301) * 7, max: 40 },
    }),
  );
  const findings = keys
    .filter((_, index) => index % 500 === 0)
    .map(({ pattern }) => finding('jsc/nested-value', pattern));
  return report(
    payload('many', [
      {
        ...one,
        shape: shape({ patterns: [...records(100).slice(0, 2), ...keys], nodes: patterns + 2 }),
        findings,
        verdict: verdict({ blockers: findings.map(blocker) }),
      },
    ]),
  );
}
