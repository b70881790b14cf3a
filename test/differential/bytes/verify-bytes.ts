/**
 * Told copied bytes against what a program of its own sees: memory of messages on their way, and what goes through the pipe
 * to another process, for 200 chosen values. Exit code 1 when one is off by more than 5 %.
 * usage: npm run verify:bytes [-- --runtime bun@1.4.5,node] [--channel worker,ipc-json] [--values text]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import type { Channel } from '../../../src/model/names.ts';
import { provisioned } from '../../support/runtimes.ts';
import { CHOSEN, chosenModule } from './chosen.ts';
import { type ByteComparison, comparedBytes, MEASURED, measuredBytes } from './measured-bytes.ts';
import { inTurns, toldBytes } from './told-bytes.ts';

const { values: options } = parseArgs({
  options: {
    runtime: { type: 'string', default: 'node@24.21.0,bun@1.4.5,deno@2.9.6' },
    channel: { type: 'string' },
    values: { type: 'string', default: '' },
  },
});

const names = [...CHOSEN.keys()].filter((name) => name.includes(options.values));
const folder = await mkdtemp(join(tmpdir(), 'clone-prof-bytes-'));
const file = join(folder, 'values.mjs');
await writeFile(file, chosenModule(names));

const table = new Table({
  head: ['runtime', 'channel', 'values', 'refused', 'within 5 %', 'median', 'worst', 'wrong'],
  style: { head: [], border: [] },
});
const percent = (ratio: number) => `${(100 * ratio).toFixed(2)} %`;

function print(spec: string, channel: Channel, compared: readonly ByteComparison[]): void {
  const wrong = compared.filter(({ complaint }) => complaint !== '');
  for (const { name, complaint } of wrong) console.error(`${spec} ${channel} ${name}: ${complaint}`);
  const off = compared.flatMap((one) => one.off ?? []).sort((a, b) => a - b);
  const refused = compared.length - off.length - wrong.filter((one) => one.off === null).length;
  const median = off[off.length >> 1] ?? 0;
  table.push([
    ...[spec, channel, compared.length, refused, compared.length - refused - wrong.length],
    ...[percent(median), percent(off.at(-1) ?? 0), wrong.length],
  ]);
  if (wrong.length > 0) process.exitCode = 1;
}

try {
  for (const spec of options.runtime.split(',')) {
    const runtime = await provisioned(spec, { onNote: console.error });
    const channels = (options.channel?.split(',') as Channel[] | undefined) ?? MEASURED[runtime.name]!;
    const told = await toldBytes(runtime, file, names, channels);
    for (const channel of channels) {
      const compared = await inTurns(names, async (name) => {
        const measured = await measuredBytes(runtime, file, name, channel);
        return comparedBytes(name, told.get(`${name} ${channel}`), measured);
      });
      print(spec, channel, compared);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(table.toString());
