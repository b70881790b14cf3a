/**
 * The whole differential test: every runtime and version, 5,000 values each. Exit code 1 when one verdict is wrong.
 * usage: npm run verify:all [-- --values N] [--seed N] [--runtime bun@1.4.5,node]
 */
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { ENGINES } from '../../src/engines/index.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { runtime } from '../support/runtimes.ts';
import { type Comparison, compare, printed } from './compare.ts';
import { oracleRunner } from './oracle-runner.ts';

const BUNS = '1.2.20 1.2.21 1.2.22 1.3.0 1.3.5 1.3.9 1.3.10 1.3.14 1.4.0 1.4.5'
  .split(' ')
  .map((v) => `bun@${v}`);
const ALL = [
  ...BUNS,
  ...['node@20', 'node@22.23.3', 'node@24.21.0', 'node@25', 'node@26.10.0', 'deno@2.5.6', 'deno@2.9.6'],
];

const { values: options } = parseArgs({
  options: {
    values: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    runtime: { type: 'string', default: ALL.join(',') },
  },
});

function tableOf(comparisons: readonly Comparison[]): string {
  const head = ['runtime', 'values', 'agree', 'settled', 'open', 'no oracle', 'wrong', 'seed'];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const { runtime: spec, values, agree, settled, open, silent, disagreements, seed } of comparisons)
    table.push([spec, values, agree, settled, open, silent, disagreements.length, seed]);
  return table.toString();
}

const asking = await oracleRunner();
const comparisons: Comparison[] = [];
try {
  for (const spec of options.runtime.split(',')) {
    const isRunning = spec === 'node' || spec === `node@${process.versions.node.split('.')[0]}`;
    const here = isRunning ? runtime('node') : await provision(spec, { onNote: console.error });
    const against = { oracle: asking, runtime: here, engine: ENGINES[here.engine] };
    const comparison = await compare(against, Number(options.seed), Number(options.values));
    comparisons.push(comparison);
    for (const disagreement of comparison.disagreements) console.error(printed(disagreement));
    console.error(`${here.spec}: ${comparison.agree} agree, ${comparison.disagreements.length} wrong`);
  }
} finally {
  await asking.close();
}
console.log(tableOf(comparisons));
process.exitCode = comparisons.some(({ disagreements }) => disagreements.length > 0) ? 1 : 0;
