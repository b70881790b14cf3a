// Everything the project claims about speed and memory, measured anew: `npm run bench`, or `npm run bench -- budgets`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aa } from './aa.ts';
import { commandBudgets } from './budgets.ts';
import { describing } from './describe.ts';
import { gate } from './gate.ts';
import { harness } from './harness.ts';
import { statistics } from './statistics.ts';
import { type Row, table } from './table.ts';

const BENCHES: Record<string, () => Promise<Row[]>> = {
  budgets: commandBudgets,
  describe: describing,
  harness,
  aa,
  statistics,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`unknown bench: ${unknown.join(', ')}. Known: ${Object.keys(BENCHES).join(', ')}`);
  process.exitCode = 2;
} else {
  const results: Record<string, Row[]> = {};
  console.log(
    `node ${process.version}, ${cpus().length} x ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
  );
  for (const name of wanted.length > 0 ? wanted : Object.keys(BENCHES)) {
    results[name] = await BENCHES[name]!();
    console.log(`${name}\n${table(results[name])}\n`);
  }
  const folder = fileURLToPath(new URL('../.cache', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bench.json'), JSON.stringify(results, null, 1));
  if (
    Object.values(results)
      .flat()
      .some((row) => row.held === false)
  )
    process.exitCode = 1;
}
