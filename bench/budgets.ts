import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, interleave } from './interleave.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin', 'clone-prof.js');

/** A JSON file of about `megabytes`, rows of mixed fields, the same on every machine. */
export function writeJson(file: string, megabytes: number): void {
  const row = (i: number) => ({
    id: i,
    name: `customer ${i}`,
    active: i % 3 === 0,
    score: ((i * 7919) % 1000) / 7,
    tags: ['a', 'b', `t${i % 50}`],
    address: {
      city: `city ${i % 400}`,
      zip: String(10_000 + (i % 90_000)),
      geo: { lat: i / 1000, lon: -i / 1000 },
    },
  });
  const count = Math.ceil((megabytes * 1e6) / (JSON.stringify(row(123_456)).length + 1));
  writeFileSync(file, `[${Array.from({ length: count }, (_, i) => JSON.stringify(row(i))).join(',')}]`);
}

async function ratio(
  what: string,
  budget: number,
  ours: string[],
  base: string[],
  rounds: number,
): Promise<Row> {
  const [a, b] = await interleave(
    [
      command('ours', process.execPath, ours, { cwd: root }),
      command('base', process.execPath, base, { cwd: root }),
    ],
    rounds,
  );
  const value = a!.median / b!.median;
  return {
    what,
    value,
    unit: 'x',
    budget,
    held: value <= budget,
    note: `fastest of each: ${(Math.min(...a!.samples) / Math.min(...b!.samples)).toFixed(2)} x`,
    raw: { ours: a!.samples, base: b!.samples },
  };
}

/** Costs of whole commands, against bare Node in the same run. */
export async function commandBudgets(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'clone-prof-bench-'));
  const big = join(dir, 'big.json');
  writeJson(big, 20);
  const parse = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(big)}, 'utf8'))`;
  const classify = [bin, 'analyze', '--no-measure', '-r', 'node', '--'];
  try {
    return [
      await ratio('clone-prof --version / node -e 0', 1.15, [bin, '--version'], ['-e', '0'], 40),
      await ratio(
        'analyze --no-measure fixtures/orders.json / node -e 0',
        5,
        [...classify, 'fixtures/orders.json'],
        ['-e', '0'],
        25,
      ),
      await ratio(
        'analyze --no-measure of 20 MB JSON / JSON.parse of it',
        3,
        [...classify, big],
        ['-e', parse],
        7,
      ),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
