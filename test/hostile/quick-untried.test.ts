/** What failed or ran out of time is told as that, with exit code 3: never as "nothing helps". */
import { ToolError } from '../../src/model/errors.ts';
import type { GuestRequest } from '../../src/model/wire/wire.ts';
import { testQuick } from './corpus.ts';

const ROWS = JSON.stringify(
  Array.from({ length: 40 }, (_, id) => ({ id, name: `row ${id}`, at: { x: id } })),
);
const files = { 'rows.json': ROWS };

const remedyOf = (ask: GuestRequest) => (ask.type === 'prove' ? ask.plans[0]?.remedy : undefined);
const late = new ToolError('guest-timeout', { ms: 30_000 });
const crashed = new ToolError('guest-crashed', { detail: 'signal SIGSEGV' });

const FASTER = { of: { 'json-text/with-conversion': { roundTrip: 30_000 } } };
const SLOW = Object.fromEntries(
  ['original', 'with-conversion', 'in-place'].map((mode) => [mode, { roundTrip: 5e8 }]),
);
const reported = { stderr: /^clone-prof: rows on node@24\.0\.0: not tried: [a-z, -]+: / } as const;

testQuick('untried', [
  {
    name: 'every proof times out',
    args: ['analyze', 'rows.json'],
    files,
    script: { fails: (ask) => (ask.type === 'prove' ? late : null) },
    ...{ exit: 3, ...reported },
    stdout: /Not known: .*\n.*Not tried: .*\n?.*proving the\s+rewrites\s+took\s+longer/,
    never: /Nothing: no rewrite/,
  },
  {
    name: 'one proof crashes its guest: the others are tried',
    args: ['analyze', 'rows.json'],
    files,
    script: { fails: (ask) => (remedyOf(ask) === 'compiled' ? crashed : null) },
    ...{ exit: 3, ...reported },
    stdout: /Not tried: compiled .*crashed[\s\S]*json-text/,
    never: /Nothing: no rewrite/,
  },
  {
    name: 'one proof fails and another rewrite is faster: advised, and told',
    args: ['analyze', 'rows.json'],
    files,
    script: { times: FASTER, fails: (ask) => (remedyOf(ask) === 'compiled' ? crashed : null) },
    ...{ exit: 3, ...reported },
    stdout: /Apply json-text[\s\S]*Not tried: compiled/,
  },
  {
    name: 'in the JSON report',
    args: ['analyze', 'rows.json', '-f', 'json'],
    files,
    script: { fails: (ask) => (ask.type === 'prove' ? late : null) },
    ...{ exit: 3, ...reported },
    stdout: /"action": "not-tried"[\s\S]*"untried": \[[\s\S]*"remedy": "compiled"/,
  },
  {
    name: 'in Markdown',
    args: ['analyze', 'rows.json', '-f', 'markdown'],
    files,
    script: { fails: (ask) => (ask.type === 'prove' ? late : null) },
    ...{ exit: 3, ...reported },
    stdout: /\*\*Do\*\*: Not known: .*Not tried: `compiled`/,
  },
  {
    name: 'in HTML',
    args: ['analyze', 'rows.json', '-f', 'html'],
    files,
    script: { fails: (ask) => (ask.type === 'prove' ? late : null) },
    ...{ exit: 3, ...reported },
    stdout: /Not known: .*Not tried: <code>compiled/,
  },
  {
    name: 'with the result in a file',
    args: ['analyze', 'rows.json', '-o', 'out.txt'],
    files,
    shows: ['out.txt'],
    script: { fails: (ask) => (ask.type === 'prove' ? late : null) },
    ...{ exit: 3, stderr: /not tried/, mostLines: 3 },
  },
  {
    name: 'what hangs while it is timed, after one process that timed the rest',
    args: ['analyze', 'rows.json'],
    files,
    script: hangsWhenTimed('json-text'),
    ...{ exit: 3, stderr: [], mostLines: 2 },
    stdout: /Not tried: json-text \(.*no answer within/,
    never: /Nothing: no rewrite/,
  },
  {
    name: 'a description that times out fails its run alone',
    args: ['analyze', 'rows.json', '-r', 'node', 'bun'],
    files,
    runtimes: ['node@24.0.0', 'bun@1.4.5'],
    script: { fails: (ask, { name }) => (ask.type === 'describe' && name === 'bun' ? late : null) },
    ...{ exit: 3, stderr: [], mostLines: 2 },
    stdout: /failed · bun 1\.4\.5[\s\S]*no answer within 30000 ms/,
  },
  {
    name: 'the budget allows one message: unsure, and no quantile of it',
    args: ['analyze', 'rows.json', '-b', '400ms'],
    files,
    script: { times: { rounds: 1, of: SLOW } },
    ...{ exit: 0, stderr: null },
    stdout: /Unsure: [\s\S]*The one message timed blocked the sender/,
    never: /Nothing: no rewrite|99 of 100/,
  },
  {
    name: 'all rewrites are refused: told as refused',
    args: ['analyze', 'rows.json'],
    files,
    script: {
      proofs: Object.fromEntries(
        ['json-text', 'compiled', 'plain'].map((name) => [
          name,
          { equality: 'refused', reason: 'this value cannot be rewritten' },
        ]),
      ),
    },
    ...{ exit: 0, stderr: null },
    stdout: /Nothing: no rewrite that was tried gives back an equal\s+payload/,
  },
  {
    name: 'sweep: a proof that times out is named, and raw is measured',
    args: ['sweep', 'rows.json', '--steps', '2'],
    files,
    script: { fails: (ask) => (remedyOf(ask) === 'compiled' ? late : null) },
    ...{ exit: 0, stderr: /scaling/, mostLines: 3 },
    stdout: /Left out on node@24\.0\.0: compiled \(proving the rewrites took\s+longer/,
  },
]);

/** The first process does not get to it; each that times it is killed. */
function hangsWhenTimed(remedy: string) {
  let processes = 0;
  return {
    fails: (ask: GuestRequest) => {
      if (ask.type !== 'measure') return null;
      processes += 1;
      return processes > 1 && ask.variants.some((one) => one.remedy === remedy) ? late : null;
    },
    times: (ask: GuestRequest) =>
      ask.type === 'measure' && processes === 1 ? { of: { [remedy]: { roundTrip: Number.NaN } } } : {},
  };
}
