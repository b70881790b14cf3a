/**
 * Told against real losses: every runtime and version, 2,000 values each. Exit code 1 when one loss is untold or false.
 * usage: npm run verify:losses [-- --values N] [--seed N] [--runtime bun@1.4.5,node]
 */
import { parseArgs } from 'node:util';
import { ENGINES, STANDARD } from '../../src/engines/index.ts';
import { provisioned } from '../support/runtimes.ts';
import { compareLosses, lossRunner, printedLosses } from './losses.ts';

/** From the first Bun that sends a Blob inside a message: before, one that a getter gives is never delivered. */
const ALL = ['bun@1.2.22', 'bun@1.3.9', 'bun@1.3.14', 'bun@1.4.0', 'bun@1.4.5'];
ALL.push('node@20.20.2', 'node@22.23.3', 'node@24.21.0', 'node@26.10.0', 'deno@2.9.6');

const { values: options } = parseArgs({
  options: {
    values: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    runtime: { type: 'string', default: ALL.join(',') },
  },
});

const runner = await lossRunner();
try {
  for (const spec of options.runtime.split(',')) {
    const runtime = await provisioned(spec, { onNote: console.error });
    const against = { runner, runtime, engine: ENGINES[runtime.engine], standard: STANDARD };
    const comparison = await compareLosses(against, Number(options.seed), Number(options.values));
    const { values, lost, refused, alone, wrong } = comparison;
    if (wrong.length > 0) console.error(printedLosses(comparison));
    console.log(
      `${spec}: ${values} values, ${lost} lose something, ${refused} refused, ${alone} right only alone, ${wrong.length} wrong`,
    );
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  await runner.close();
}
