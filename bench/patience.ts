/** How long a user at a terminal waits: for the first verdict, and for the whole default run of one payload. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { medianOf } from './interleave.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const RUNS = 5;
/** The line that says how the payload travels: "orders · node 20.20.2 · serialized · measuring". */
const VERDICT = /· (shared|moved|in-memory|bulk|serialized|degraded|rejected)\b/u;

interface Wait {
  first: number;
  whole: number;
}

/** Through `script`, which gives the program a terminal of its own; util-linux has it. */
function once(): Promise<Wait> {
  const command = `stty cols 80; "${process.execPath}" "${join(root, 'bin', 'clone-prof.js')}" analyze fixtures/orders.json -r node`;
  const began = performance.now();
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: root,
    // In CI nothing is drawn before the end.
    env: { ...process.env, CI: undefined },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  return new Promise((resolve, reject) => {
    let seen = '';
    let first = Number.NaN;
    child.stdout.on('data', (piece: Buffer) => {
      seen += piece;
      if (Number.isNaN(first) && VERDICT.test(seen)) first = performance.now() - began;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ first, whole: performance.now() - began });
      else reject(new Error(`analyze: exit ${code}\n${seen}`));
    });
  });
}

export async function patience(): Promise<Row[]> {
  const waits: Wait[] = [];
  for (let run = 0; run < RUNS; run++) waits.push(await once());
  const row = (what: string, values: number[], budget: number): Row => {
    const value = medianOf(values);
    return { what, value, unit: 'ms', budget, held: value <= budget, raw: values };
  };
  return [
    row(
      'first verdict on a terminal: analyze fixtures/orders.json -r node',
      waits.map(({ first }) => first),
      1000,
    ),
    row(
      'the whole of that run',
      waits.map(({ whole }) => whole),
      8000,
    ),
  ];
}
