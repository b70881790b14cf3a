import type { Report } from '../../../src/model/documents/report.ts';
import {
  advice,
  blocker,
  classified,
  facts,
  failed,
  finding,
  payload,
  report,
  run,
  shape,
  trial,
  verdict,
} from '../../make.ts';
import { bunNested, jsonTextAdvice } from './advised.ts';

const FUNCTION = finding('spec/function', '$.tasks[*].onDone', {
  level: 'rejected',
  count: 3,
  what: 'async onDone',
});

const refused = (spec: `node@${string}` | `deno@${string}`, refusal: string) =>
  classified(spec, {
    verdict: verdict({ path: 'rejected', class: 'rejected', blockers: [blocker(FUNCTION)], refusal }),
    findings: [FUNCTION],
  });

/** A function in the payload: nothing can be posted, so nothing was timed. Each runtime refuses in its own words. */
export const rejected: Report = report(
  payload('tasks', [
    refused(
      'node@24.21.0',
      'DataCloneError: async onDone() { } could not be cloned.\n    at Worker.postMessage',
    ),
    refused('deno@2.9.6', 'TypeError: onDone cannot be posted'),
  ]),
);

/** The original is rejected, but a rewrite restores it: there is no time to compare with. */
export const sendable: Report = report(
  payload('job', [
    classified('bun@1.4.5', {
      verdict: verdict({ path: 'rejected', class: 'rejected', blockers: [blocker(FUNCTION)] }),
      findings: [FUNCTION],
      trials: [trial('plain', null, { outcome: 'unsure', outcomeInPlace: 'unsure' })],
      advice: { ...jsonTextAdvice(1), remedy: 'plain', gain: null },
    }),
    classified('node@24.21.0', {
      verdict: verdict({ path: 'rejected', class: 'rejected', blockers: [blocker(FUNCTION)] }),
      findings: [FUNCTION],
      advice: advice('unsure'),
    }),
  ]),
);

/** `--no-measure`: verdicts only; on one runtime some facts are unknown. */
export const classifiedOnly: Report = report(
  payload('config', [
    classified('bun@1.4.5', {
      verdict: verdict({
        path: 'simple-object',
        class: 'in-memory',
        confirmed: null,
        unknowns: [
          { what: 'share-or-copy', path: '$.body', count: 2 },
          { what: 'delete-history', path: '$', count: 1 },
          { what: 'id-of-a-later-version', path: '$.tags', count: 1 },
        ],
      }),
    }),
    classified('node@24.21.0'),
    classified('deno@2.9.6', {
      error: {
        code: 'total-spent',
        message: 'the time of --total is used up. Raise it, or name fewer payloads',
      },
    }),
  ]),
);

const TIMEOUT = {
  code: 'guest-timeout',
  message:
    'fixtures/slow.mjs: gave no answer within 35000 ms, so its process was killed. Raise --timeout, or see whether the module waits for something',
};

/** One runtime hangs; the other's result stands. */
export const timeout: Report = report(
  payload('slow', [failed('deno@2.9.6', TIMEOUT), bunNested('bun@1.4.5', 91_000)], {
    source: { file: 'fixtures/slow.mjs', export: 'default' },
  }),
);

/** Two payloads cannot be loaded; the third is reported. */
export const loadError: Report = report(
  payload('broken', [], {
    error: {
      code: 'json-malformed',
      message: 'fixtures/broken.json:3:14: not valid JSON (Unexpected token } in JSON at position 41)',
    },
  }),
  payload('threw', [], {
    source: { file: 'fixtures/threw.mjs', export: 'rows' },
    error: {
      code: 'factory-threw',
      message:
        "fixtures/threw.mjs: the factory 'rows' threw: Error: no database\nIt printed:\nconnecting...\n\tfailed",
    },
  }),
  payload('ping', [classified('node@24.21.0', { shape: shape({ nodes: 1, depth: 0, jsonBytes: 4 }) })]),
);

/** The engine contradicts the rule book. */
export const contradicted: Report = report(
  payload('session', [
    run('bun@1.4.5', { verdict: verdict({ path: 'simple-object', class: 'in-memory', confirmed: false }) }),
    run('bun@1.3.14', { verdict: verdict({ path: 'simple-object', class: 'in-memory' }) }),
  ]),
);

const TOO_EARLY = finding('jsc/array-too-early', '$');

export const upgrade: Report = report(
  payload('numbers', [
    run('bun@1.3.9', {
      verdict: verdict({
        aspired: 'double-array',
        blockers: [blocker(TOO_EARLY)],
        upgrade: { since: '1.3.10', path: 'double-array', class: 'in-memory' },
      }),
      findings: [TOO_EARLY],
      trials: [trial('json-text', 1.9)],
    }),
  ]),
);

export const empty: Report = report();

/** Text that could act on a terminal, a page, a comment or a CI runner. */
export const HOSTILE = {
  osc: '\u001b]0;owned\u0007',
  sgr: '\u001b[31mred\u001b[0m\u009b2J',
  script: '</script><script>alert(1)</script><img src=x onerror=alert(1)>',
  workflow: '::error::file=x ##[error]no ##vso[task.complete]',
  table: 'a|b | c \\| d',
  ticks: 'x``` `y` ````',
  bidi: 'user\u202e}gnp.exe\u2066\u200f',
  lines: 'one\ntwo\r\n::set-output name=a::b\u2028three',
  markdown:
    '@admin #1 [link](https://evil.example) <!-- --> **b** _i_ ![i](x) https://evil.example www.evil.example',
  wide: '日本語のキー👩‍👩‍👧‍👦🫠é',
  lone: 'half\ud83d surrogate',
  quotes: `"'&amp;&#39;`,
} as const;

const keys = Object.values(HOSTILE);

const HOSTILE_FINDINGS = keys.map((key) =>
  finding(`unknown/${key}`, `$[${JSON.stringify(key)}].${key}`, { level: 'slow', what: key, count: 2 }),
);

export const hostile: Report = report(
  payload(
    keys.join(' '),
    [
      run('bun@1.4.5', {
        shape: shape({ patterns: keys.map((key) => facts(`$.${key}`, 'object', { tag: key })) }),
        verdict: verdict({
          blockers: HOSTILE_FINDINGS.map(blocker),
          unknowns: [{ what: HOSTILE.script, path: `$.${HOSTILE.osc}`, count: 1 }],
        }),
        findings: [
          ...HOSTILE_FINDINGS,
          finding('spec/class-instance', `$.${HOSTILE.bidi}`, { level: 'lossy', what: HOSTILE.script }),
        ],
        trials: keys.map((key, index) =>
          trial(key, 0.3 + index / 5, {
            path: `$.${key}`,
            equality: 'lossy',
            losses: [{ path: `$.${key}`, what: key }],
          }),
        ),
        advice: {
          ...jsonTextAdvice(0.5),
          remedy: HOSTILE.ticks,
          path: `$.${HOSTILE.table}`,
          code: keys.join('\n'),
        },
      }),
      failed('node@24.21.0', { code: 'guest-crashed', message: keys.join('\n'), path: `$.${HOSTILE.wide}` }),
    ],
    { source: { file: keys.join('/'), export: HOSTILE.script } },
  ),
  payload('plain', [], { error: { code: 'module-threw', message: keys.join('\n') } }),
);
