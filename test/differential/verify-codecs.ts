/**
 * Compiled codecs against plain clones: 20,000 values and twice as many changed ones on each runtime. Exit code 1 when one does not
 * arrive as a clone brings it.
 * usage: npm run verify:codecs [-- --values N] [--mutations N] [--seed N] [--runtime bun@1.4.5,node]
 */
import { parseArgs } from 'node:util';
import { provisioned } from '../support/runtimes.ts';
import { codecRunner, compareCodecs } from './codecs.ts';

const ALL = [`node@${process.versions.node}`, 'bun@1.4.5', 'deno@2.9.6'];
const SHOWN = 12;

const { values: options } = parseArgs({
  options: {
    values: { type: 'string', default: '20000' },
    mutations: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    runtime: { type: 'string', default: ALL.join(',') },
  },
});
const amount = {
  seed: Number(options.seed),
  values: Number(options.values),
  mutations: Number(options.mutations),
};

const runner = await codecRunner();
try {
  for (const spec of options.runtime.split(',')) {
    const runtime = await provisioned(spec, { onNote: console.error });
    const { values, codecs, mutations, whole, alone, wrong } = await compareCodecs(runner, runtime, amount);
    for (const complaint of wrong.slice(0, SHOWN)) console.error(`${spec}, ${complaint}`);
    console.log(
      `${spec}: ${values} values, ${codecs} with a codec, ${mutations} changed, ${whole} of them sent whole, ${alone} right only alone, ${wrong.length} wrong`,
    );
    if (wrong.length > 0) process.exitCode = 1;
  }
} finally {
  await runner.close();
}
