/**
 * Told copied bytes against what a program of its own sees: memory of messages on their way, and what goes through the pipe
 * to another process, for 200 chosen values. Exit code 1 when one is off by more than 5 %.
 * usage: npm run verify:bytes [-- --runtime bun@1.4.5,node] [--channel worker,ipc-json] [--values text]
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Channel } from '../../../src/model/names.ts';
import { provisioned } from '../../support/runtimes.ts';
import { listed, options, printed } from '../verifying.ts';
import { CHOSEN, chosenModule } from './chosen.ts';
import { comparedBytes, inTurns, MEASURED, measuredBytes, toldBytes } from './measured-bytes.ts';

const asked = options({ runtime: 'node@24.21.0,bun@1.4.5,deno@2.9.6', channel: '', values: '' });

const names = [...CHOSEN.keys()].filter((name) => name.includes(asked.values));
const folder = await mkdtemp(join(tmpdir(), 'clone-prof-bytes-'));
const file = join(folder, 'values.mjs');
await writeFile(file, chosenModule(names));
const percent = (ratio: number) => `${(100 * ratio).toFixed(2)} %`;

try {
  for (const spec of listed(asked.runtime)) {
    const runtime = await provisioned(spec, { onNote: console.error });
    const channels = asked.channel === '' ? MEASURED[runtime.name]! : (listed(asked.channel) as Channel[]);
    const told = await toldBytes(runtime, file, names, channels);
    for (const channel of channels) {
      const compared = await inTurns(names, async (name) => {
        const measured = await measuredBytes(runtime, file, name, channel);
        return comparedBytes(name, told.get(`${name} ${channel}`), measured);
      });
      const off = compared.flatMap((one) => one.off ?? []).sort((a, b) => a - b);
      const shares = {
        'off at the median': percent(off[off.length >> 1] ?? 0),
        'at most': percent(off.at(-1) ?? 0),
      };
      const wrong = compared.flatMap(({ name, complaint }) =>
        complaint === '' ? [] : `${name}: ${complaint}`,
      );
      printed(`${spec} ${channel}`, { values: compared.length, ...shares }, wrong);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
