import { describe, test } from 'node:test';
import type { Traffic } from '../../src/model/documents/recorded/traffic.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { RenderOptions } from '../../src/model/report/formats.ts';
import type { Document } from '../../src/report/registry.ts';
import { advice, estimate, finding, payload, report, run, trial, verdict } from '../make.ts';
import { usually } from '../support/whole.ts';
import { compared, comparedSweeps, sweepOf } from './compare/reports.ts';
import { HOSTILE } from './frozen/hostile.ts';
import { FROZEN } from './frozen/reports.ts';
import { FROZEN_SWEEPS } from './frozen/sweeps.ts';
import { frozen } from './render.ts';
import { assertJsonSafe, assertMarkdownSafe, assertPageSafe, assertTerminalSafe } from './safe.ts';

const KEYS = Object.values(HOSTILE);

/** Each text of a report that comes from outside. */
function hostileReport(at: number): Report {
  const base = report(
    payload(KEYS.join(' '), [
      run('bun@1.4.5', {
        verdict: verdict({ class: at === 0 ? 'serialized' : 'in-memory' }),
        findings: KEYS.map((key) => finding(key, `$.${at}.${key}`)),
        trials: KEYS.map((key) =>
          trial(key, 0.3 + at / 2, { path: `$.${key}`, plan: { path: '$', form: key } }),
        ),
        advice: advice('apply', { remedy: `${at}${HOSTILE.ticks}`, path: `$.${HOSTILE.table}` }),
        status: at === 0 ? 'measured' : 'failed',
        error: at === 0 ? null : { code: 'x', message: KEYS.join(' ') },
      }),
    ]),
  );
  const machine = { ...base.machine, os: HOSTILE.osc, arch: HOSTILE.bidi, cpu: HOSTILE.script };
  return { ...base, machine, tool: { version: HOSTILE.markdown }, date: HOSTILE.table };
}

const nasty = compared(hostileReport(0), hostileReport(1));
nasty.reports[0]!.file = KEYS.join('/');

const sweepOn = (version: string, last: number, size: number) =>
  sweepOf(
    ['node', version],
    { 10: estimate(1.5), 1000: estimate(last) },
    [{ size, ci: [size - 5, size + 5] }],
    HOSTILE.table,
  );

const COMPARISONS: Record<string, Document> = {
  'hostile reports': nasty,
  'equal reports': compared(frozen('three-runtimes'), frozen('three-runtimes')),
  'three reports': compared(frozen('three-runtimes'), frozen('apply'), frozen('failures')),
  'reports without a run': compared(frozen('empty'), frozen('empty')),
  sweeps: comparedSweeps(sweepOn('24.0.0', 0.8, 30), sweepOn('26.0.0', 0.4, 45)),
  'sweeps without a strategy': comparedSweeps(
    sweepOf(['node', '24.0.0'], {}),
    sweepOf(['node', '24.0.0'], {}),
  ),
};

/** The recording with other traffic at all of its sites. */
const withTraffic = (more: Partial<Traffic>, name?: string): Report => ({
  ...frozen('recording'),
  payloads: frozen('recording').payloads.map((one, index) => ({
    ...one,
    ...(name !== undefined && { id: `${name}${index}` }),
    traffic: { ...one.traffic!, ...more },
  })),
});

const RECORDINGS: Record<string, Document> = {
  'names that are attacks': withTraffic({}, KEYS.join('').repeat(5)),
  'steps without a length': withTraffic({ times: { stepMs: 0, counts: [1, 0, 5] } }),
  'steps of any length': withTraffic({ times: { stepMs: 1e308, counts: [0, 0, 0, 9] } }),
  'many steps': withTraffic({
    times: { stepMs: 1e-9, counts: new Array<number>(100_000).fill(2 ** 53 - 1) },
  }),
  'nothing posted': withTraffic({ times: { stepMs: 1, counts: [] }, queue: null, bytes: null, cost: null }),
  'sums that overflow': withTraffic({ bytes: { total: 1.7e308, ci: [0, 1.7e308], max: 1e308 } }),
  'a cost without end': withTraffic({
    cost: { perMessageNs: 1e300, totalMs: 1.7e300, share: 1, of: 'send' },
  }),
  'a queue that grows': withTraffic({ queue: { max: 2 ** 53 - 1, last: 2 ** 53 - 1 } }),
};

const WIDTHS = usually([40, 81], [41, 60, 100, 53, 47, 59, 61, 72, 80, 120, 163, 200]);
/** Colours change no width, whatever the characters: each of the four pairs at half of the widths. */
const TERMINALS: RenderOptions[] = WIDTHS.flatMap((columns, index) =>
  [true, false].map((unicode) => ({ columns, unicode, color: unicode === (index % 2 === 0) })),
);

for (const [kind, documents] of Object.entries<Record<string, Document>>({
  report: FROZEN,
  'comparison of': COMPARISONS,
  sweep: FROZEN_SWEEPS,
  'recording with': RECORDINGS,
}))
  for (const [name, document] of Object.entries(documents))
    describe(`${kind} ${name}`, () => {
      test('a terminal shows no control character, and each line fits', () => {
        for (const options of TERMINALS.flatMap((one) => [one, { ...one, details: true }]))
          assertTerminalSafe(document, options);
      });
      test('Markdown makes only elements of the reporter', () => assertMarkdownSafe(document));
      test('a page is well-formed, holds the document, and runs, fetches and leads to nothing else', () =>
        assertPageSafe(document));
      test('JSON is the document', () => assertJsonSafe(document));
    });
