/** What a sweep did not decide, or did not measure, is never told as "no difference". */
import { ToolError } from '../../src/model/errors.ts';
import type { GuestRequest } from '../../src/model/wire/wire.ts';
import { testQuick } from './corpus.ts';

const ROWS = JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, name: `row ${id}` })));
const files = { 'rows.json': ROWS };
const NOTE = { stderr: /scaling the 40 items/, mostLines: 3 } as const;

type Measure = Extract<GuestRequest, { type: 'measure' }>;
const sizeOf = (ask: Measure) => ask.recipe.scale?.size ?? 0;

/** One message in one process: as much as a large payload gets. */
const ONE_EACH = { rounds: 1, jitter: 0.9, of: { 'with-conversion': { roundTrip: 90_000 } } };
const NOISY = { rounds: 3, jitter: 0.9 };
const even = { jitter: 0.001, of: { 'with-conversion': { roundTrip: 100_000 } } };

testQuick('sweep', [
  {
    name: 'few samples that may mean anything: undecided',
    args: ['sweep', 'rows.json', '--steps', '2'],
    files,
    script: { times: ONE_EACH },
    ...{ exit: 0, ...NOTE },
    stdout: /json-text, [^:]*: undecided at every size[\s\S]*µs \?/,
    never: /no relevant difference (at|from)/,
  },
  {
    name: 'noise: undecided',
    args: ['sweep', 'rows.json', '--steps', '2', '-b', '1s'],
    files,
    script: { times: NOISY },
    ...{ exit: 0, ...NOTE },
    stdout: /json-text, [^:]*: undecided/,
    never: /no relevant difference (at|from)/,
  },
  {
    name: 'undecided in JSON',
    args: ['sweep', 'rows.json', '--steps', '2', '-f', 'json'],
    files,
    script: { times: ONE_EACH },
    ...{ exit: 0, ...NOTE },
    stdout: /"even": \[\],\s+"undecided": \[\s+\d+,\s+\d+\s+\]/,
  },
  {
    name: 'equal times: no relevant difference',
    args: ['sweep', 'rows.json', '--steps', '2'],
    files,
    script: { times: even },
    ...{ exit: 0, ...NOTE },
    stdout: /json-text, [^:]*: no relevant difference at\s+every size[\s\S]*µs =/,
    never: /: undecided/,
  },
  {
    name: 'a size that the budget does not pay for is named',
    args: ['sweep', 'rows.json', '--scale', '10..1000000', '--steps', '3', '-b', '4s'],
    files,
    script: { times: (ask) => ({ of: allTimes(1000 * sizeOf(ask)) }) },
    ...{ exit: 3, ...NOTE },
    stdout: /Not measured on node@24\.0\.0 over worker at 1,000,000 items: raw.*\n?.*it\s+takes\s+about/,
  },
  {
    name: 'undecided rule of thumb',
    args: ['sweep', '--preset', 'blog-keys', '-b', '1s'],
    script: { times: ONE_EACH },
    ...{ exit: 0, stderr: null },
    stdout: /Whether it holds is undecided:/,
    never: /It holds on every|makes no relevant difference/,
  },
  {
    name: 'transferred bytes: what the sender loses',
    args: ['sweep', 'rows.json', '--steps', '2'],
    files,
    ...{ exit: 0, ...NOTE },
    stdout: /bytes-transferred: [\s\S]*Each message is a\s+new buffer/,
  },
  {
    name: 'a size that crashes is not a difference of none',
    args: ['sweep', 'rows.json', '--steps', '2'],
    files,
    script: {
      fails: (ask) =>
        ask.type === 'measure' && sizeOf(ask) > 100
          ? new ToolError('guest-crashed', { detail: 'signal SIGSEGV' })
          : null,
    },
    ...{ exit: 3, ...NOTE },
    stdout: /failed[\s\S]*Not measured on node@24\.0\.0 over worker at 400 items/,
  },
]);

function allTimes(roundTrip: number) {
  return Object.fromEntries(['original', 'with-conversion'].map((mode) => [mode, { roundTrip }]));
}
