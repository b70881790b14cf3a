/**
 * The whole differential test: every runtime and version, 5,000 values each. Exit code 1 when one verdict is wrong.
 * usage: npm run verify:all [-- --values N] [--seed N] [--runtime bun@1.4.5,node]
 */
import { ENGINES } from '../../src/engines/index.ts';
import { provisioned } from '../support/runtimes.ts';
import { compare } from './compare.ts';
import { oracleRunner } from './oracle-runner.ts';
import { listed, options, printed } from './verifying.ts';

const ALL = [
  ...'1.2.20 1.2.21 1.2.22 1.3.0 1.3.5 1.3.9 1.3.10 1.3.14 1.4.0 1.4.5'.split(' ').map((v) => `bun@${v}`),
  ...['node@20.20.2', 'node@22.23.3', 'node@24.21.0', 'node@25', 'node@26.10.0', 'deno@2.5.6', 'deno@2.9.6'],
];

const { values, seed, runtime } = options({ values: '5000', seed: '1', runtime: ALL.join(',') });
const oracle = await oracleRunner();
try {
  for (const spec of listed(runtime)) {
    const here = await provisioned(spec, { onNote: console.error });
    const against = { oracle, runtime: here, engine: ENGINES[here.engine] };
    const { wrong, silent, ...counts } = await compare(against, Number(seed), Number(values));
    printed(`${here.spec}, seed ${seed}`, { values, ...counts, 'without oracle': silent }, wrong);
  }
} finally {
  await oracle.close();
}
