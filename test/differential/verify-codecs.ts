/**
 * Compiled codecs against plain clones: 20,000 values and twice as many changed ones on each runtime. Exit code 1 when one does not
 * arrive as a clone brings it.
 * usage: npm run verify:codecs [-- --values N] [--mutations N] [--seed N] [--runtime bun@1.4.5,node]
 */
import { provisioned } from '../support/runtimes.ts';
import { codecRunner, compareCodecs } from './codecs.ts';
import { listed, options, printed } from './verifying.ts';

const ALL = `node@${process.versions.node},bun@1.4.5,deno@2.9.6`;
const asked = options({ values: '20000', mutations: '2', seed: '1', runtime: ALL });
const amount = { seed: Number(asked.seed), values: Number(asked.values), mutations: Number(asked.mutations) };

const runner = await codecRunner();
try {
  for (const spec of listed(asked.runtime)) {
    const runtime = await provisioned(spec, { onNote: console.error });
    const { values, codecs, mutations, whole, alone, wrong } = await compareCodecs(runner, runtime, amount);
    const counts = { values, 'with a codec': codecs, changed: mutations, 'of them sent whole': whole };
    printed(spec, { ...counts, 'right only alone': alone }, wrong);
  }
} finally {
  await runner.close();
}
