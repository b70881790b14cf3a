import type { Finding } from '../../../src/model/documents/classification.ts';
import type { Report, Run } from '../../../src/model/documents/report.ts';
import type { Advice, Trial } from '../../../src/model/documents/trial.ts';
import {
  advice,
  blocker,
  estimate,
  finding,
  histogramOf,
  measurement,
  payload,
  report,
  run,
  shape,
  trial,
  verdict,
} from '../../make.ts';

const NESTED: Finding[] = [
  finding('jsc/nested-value', '$.task'),
  finding('jsc/nested-value', '$.rows[*].geo', { count: 1200 }),
];

const JSON_CODE = [
  '// sender',
  'worker.postMessage(JSON.stringify(payload));',
  '',
  '// receiver',
  'const payload = JSON.parse(event.data);',
].join('\n');

export const jsonTextAdvice = (ratio: number): Advice =>
  advice('apply', { remedy: 'json-text', path: '$', gain: estimate(ratio), code: JSON_CODE });

const TRIALS: Trial[] = [
  trial('flatten', 1.18),
  trial('json-text', 0.34),
  trial('columns', 0.97, { path: '$.rows', outcome: 'unsure', outcomeInPlace: 'faster' }),
  trial('plain', 2.6, { equality: 'lossy', losses: [{ path: '$.at', what: 'Date became string' }] }),
  trial('transfer', null, {
    path: '$.blob',
    equality: 'failed',
    reason: 'the buffer is shared and cannot be moved',
  }),
];

/** Bun's serializer, with blockers and a faster rewrite. */
export const bunNested = (spec: `bun@${string}`, median: number, more: Partial<Run> = {}): Run =>
  run(spec, {
    verdict: verdict({ aspired: 'simple-object', blockers: NESTED.map(blocker) }),
    findings: [
      ...NESTED,
      finding('jsc/long-string-serialized', '$.notes', { level: 'note' }),
      finding('spec/class-instance', '$.owner', { level: 'lossy', what: 'class User' }),
    ],
    measurement: measurement(median),
    trials: TRIALS.map((one) =>
      one.outcome === 'faster' ? { ...one, histogram: histogramOf(0.34 * median) } : one,
    ),
    advice: jsonTextAdvice(0.34),
    ...more,
  });

export const apply: Report = report(payload('orders', [bunNested('bun@1.4.5', 412_000)]));

const HOLES = finding('v8/nested-holes', '$[*].cells', { count: 340 });

const nodeRows = (spec: `node@${string}` | `deno@${string}`, median: number): Run =>
  run(spec, {
    shape: shape({ representation: { by: 'v8-natives', engine: 'v8' } }),
    verdict: verdict({ path: 'packed-array', class: 'degraded', blockers: [blocker(HOLES)] }),
    findings: [HOLES],
    measurement: measurement(median),
    trials: [
      trial('json-text', 1.31),
      trial('flatten', 1.01, { outcome: 'unsure', outcomeInPlace: 'unsure' }),
    ],
  });

/** Three runtimes with different advice. */
export const threeRuntimes: Report = report(
  payload('orders', [
    nodeRows('node@24.21.0', 655_300),
    bunNested('bun@1.4.5', 412_000),
    { ...nodeRows('deno@2.9.6', 1_240_000), advice: advice('not-the-clone') },
  ]),
);

export const nothing: Report = report(
  payload(
    'log-line',
    [
      run('bun@1.4.5', {
        shape: shape({ nodes: 1, depth: 0, jsonBytes: 3_000_002 }),
        verdict: verdict({ path: 'string-shared', class: 'shared' }),
        measurement: measurement(11_300, { gc: null, peakMemory: null }),
        trials: [trial('json-text', 640)],
        advice: advice('nothing', { bound: 1 }),
      }),
    ],
    { stands: 3120, source: { file: 'logs/app.ndjson', export: null } },
  ),
);

export const notTheClone: Report = report(
  payload('ping', [
    run('node@24.21.0', {
      shape: shape({ nodes: 3, depth: 1, jsonBytes: 28 }),
      measurement: measurement(10_200),
      advice: advice('not-the-clone'),
    }),
  ]),
);

export const unsure: Report = report(
  payload('rows', [
    run('node@26.10.0', {
      trials: [
        trial('columns', 0.94, { withConversion: { ratio: 0.94, ci: [0.86, 1.03] }, outcome: 'unsure' }),
      ],
      advice: advice('unsure', { bound: 0.86, needs: 120_000 }),
    }),
  ]),
);

const tooLittle = (spec: `node@${string}`, ratio: number, more: Partial<Advice> = {}): Run =>
  run(spec, {
    trials: [trial('columns', ratio, { path: '$.rows' }), trial('plain', 2.6, { equality: 'lossy' })],
    advice: advice('nothing', {
      bound: ratio - 0.03,
      available: { remedy: 'columns', path: '$.rows', gain: estimate(ratio), lines: 82 },
      ...more,
    }),
  });

/** A gain that is not worth its code, alike on two runtimes; on a third something else is open. */
export const available: Report = report(
  payload('rows', [
    tooLittle('node@24.21.0', 0.91),
    tooLittle('node@26.10.0', 0.88),
    tooLittle('node@22.0.0', 0.9, { action: 'unsure', needs: null }),
  ]),
);

const plan = (form: string) => ({ path: '$.rows', plan: { path: '$.rows', form } });

/** Two proofs ran out of time; one form of the columns was tried. */
export const notTried: Report = report(
  payload('rows', [
    run('node@24.21.0', {
      trials: [trial('columns', 1.2, plan('cells'))],
      advice: advice('not-tried', {
        untried: ['columns', 'flat-rows'].map((remedy) => ({
          remedy,
          ...plan('typed'),
          reason: 'proving the rewrites took longer than 30000 ms. Raise --timeout',
        })),
      }),
    }),
  ]),
);

/** A rewrite with a cost beside time, and two plans of another. */
export const transferred: Report = report(
  payload('tile', [
    run('node@24.21.0', {
      trials: [
        trial('transfer', 0.1, { path: '$.blob' }),
        trial('columns', 0.9, plan('typed')),
        trial('columns', 1.3, plan('cells')),
      ],
      advice: advice('apply', {
        remedy: 'transfer',
        path: '$.blob',
        gain: estimate(0.1),
        code: 'worker.postMessage(payload, transferList(payload));',
        costs: ['the sender loses the buffers'],
      }),
    }),
  ]),
);

/** A gain only where both ends keep the columns. */
export const inPlaceOnly: Report = report(
  payload('series', [
    run('node@24.21.0', {
      trials: [trial('columns', 1.2, { inPlace: estimate(0.11), outcomeInPlace: 'faster' })],
      advice: advice('nothing', {
        remedy: 'columns',
        path: '$.rows',
        gain: estimate(0.11),
        ownsBothForms: true,
      }),
    }),
  ]),
);

const TWELVE: [`bun@${string}` | `node@${string}` | `deno@${string}`, number][] = [
  ['node@20.20.2', 802_000],
  ['node@22.23.3', 731_000],
  ['node@24.21.0', 655_300],
  ['node@26.10.0', 640_100],
  ['deno@2.9.6', 1_240_000],
  ['bun@1.2.20', 611_000],
  ['bun@1.2.21', 604_000],
  ['bun@1.3.9', 598_000],
  ['bun@1.3.10', 431_000],
  ['bun@1.3.14', 428_000],
  ['bun@1.4.0', 415_000],
  ['bun@1.4.5', 412_000],
];

export const twelveRuntimes: Report = report(
  payload(
    'orders',
    TWELVE.map(([spec, median]) =>
      spec.startsWith('bun@')
        ? bunNested(spec as `bun@${string}`, median)
        : nodeRows(spec as `node@${string}` | `deno@${string}`, median),
    ),
  ),
);
