import type { AnalyzedRecording, Traffic } from '../../../src/model/documents/recorded/traffic.ts';
import type { Report } from '../../../src/model/documents/report.ts';
import {
  advice,
  classified,
  estimate,
  header,
  messages,
  payload,
  report,
  run,
  runtime,
  verdict,
} from '../../make.ts';

const FILE = 'app.cprof';

export function analyzedRecording(more: Partial<AnalyzedRecording> = {}): AnalyzedRecording {
  return {
    ...header({ gaps: [{ what: 'a worker with an environment of its own', count: 2 }] }),
    unread: [{ thread: 'worker src/resize.js', count: 2 }],
    file: FILE,
    messages: 5200,
    sized: 4000,
    bytes: { total: 48_200_000, ci: [47_100_000, 49_900_000], max: 2_000_000 },
    times: { stepMs: 100, counts: [900, 1200, 0, 0, 400, 1100, 0, 0, 12, 700, 800, 88] },
    left: { groups: 3, messages: 41, share: 0.021 },
    ...more,
  };
}

export function traffic(more: Partial<Traffic> = {}): Traffic {
  const { shape: _, sample: __, ...posted } = messages();
  return {
    ...posted,
    cost: { perMessageNs: 309_000, totalMs: 370.8, share: 0.62, of: 'measured' },
    lint: [],
    values: { from: 'shape', seed: 1, differences: [] },
    ...more,
  };
}

const frame = (file: string, line: number) => ({ file, line, column: 9, name: null });
const recorded = (id: string, of: Traffic, ...runs: ReturnType<typeof run>[]) =>
  payload(id, runs, { source: { file: FILE, export: null }, traffic: of });

const applied = advice('apply', { remedy: 'json-text', path: '$', gain: estimate(0.4), code: 'post(text)' });

/** A pool, a site whose buffers are not transferred, and one that could not be looked at. */
export const recording: Report = {
  ...report(
    recorded(
      'pool.js:41',
      traffic({
        site: {
          user: { file: 'src/pool.js', line: 41, column: 22, name: 'resizeAll' },
          library: { name: 'piscina', version: '5.3.2', frame: frame('node_modules/piscina/index.js', 112) },
        },
        envelope: { library: 'piscina', direction: 'request' },
        cost: { perMessageNs: 309_000, totalMs: 370.8, share: 1, of: 'measured' },
        queue: { max: 900, last: 870 },
        lint: [
          { rule: 'queue-grows', count: 870, of: 1200, bytes: 870_000, ns: null, savesMs: null },
          { rule: 'long-call', count: 2, of: 64, bytes: null, ns: 31_000_000, savesMs: null },
        ],
        values: { from: 'shape', seed: 7, differences: ['$.task.log: a function, made anew.'] },
      }),
      run('node@20.20.2', {
        advice: applied,
        bare: { class: 'serialized', path: 'fast-object' },
        verdict: verdict({ confirmed: null }),
      }),
      classified('bun@1.4.5', { bare: { class: 'in-memory', path: 'simple-object' } }),
    ),
    recorded(
      'tiles.js:30',
      traffic({
        site: { user: frame('src/tiles.js', 30), library: null },
        api: 'BroadcastChannel.postMessage',
        runtime: runtime('bun@1.4.5'),
        to: null,
        threads: 4,
        count: 12,
        received: null,
        estimated: true,
        queue: null,
        looked: 12,
        bytes: { total: 24_000_000, ci: [24_000_000, 24_000_000], max: 2_000_000 },
        cost: { perMessageNs: 1.9e6, totalMs: 22.8, share: 0.04, of: 'send' },
        times: { stepMs: 50, counts: [0, 0, 0, 4, 4, 4] },
        lint: [
          { rule: 'transfer-missing', count: 12, of: null, bytes: 24_000_000, ns: null, savesMs: 22.8 },
          { rule: 'chatty', count: 40, of: 1200, bytes: null, ns: null, savesMs: 4.1 },
        ],
        values: { from: 'masked-sample', seed: 1, differences: [] },
      }),
      classified('bun@1.4.5'),
    ),
    {
      ...recorded(
        'process.send',
        traffic({
          site: { user: null, library: null },
          api: 'process.send',
          bytes: null,
          send: null,
          cost: null,
          values: null,
        }),
      ),
      error: { code: 'shape-unknown', message: 'no message of this site could be looked at' },
    },
  ),
  recordings: [analyzedRecording({ exit: { code: null, signal: 'SIGTERM' }, values: 'masked' })],
};
