/**
 * The string oracle of Firefox against strings of known origin. Exit code 1 when one answer is wrong.
 * usage: npm run verify:strings [-- --values N] [--seed N] [--channel worker,message-port] [--firefox PATH] [--busy N]
 *   --values  strings on each channel
 *   --busy    so many other processes that keep a core busy: no answer may become wrong
 */
import { spawn } from 'node:child_process';
import type { Channel } from '../../src/model/names.ts';
import { findRuntimes } from '../../src/runtimes/find/find.ts';
import { askedStrings, knownStrings } from './firefox-strings.ts';
import { listed, options, printed } from './verifying.ts';

const asked = options({
  values: '200',
  seed: '1',
  channel: 'worker,message-port',
  firefox: 'firefox',
  busy: '0',
});

const { found, missing } = await findRuntimes([asked.firefox], { cwd: process.cwd(), env: process.env });
for (const { error } of missing) throw error;
const strings = knownStrings(Number(asked.seed), Number(asked.values));
const busy = Array.from({ length: Number(asked.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  for (const channel of listed(asked.channel) as Channel[]) {
    const answers = await askedStrings(found[0]!, strings, channel);
    for (const size of [...new Set(answers.map((one) => one.size))]) {
      const some = answers.filter((one) => one.size === size);
      const wrong = some.filter(({ told, expected }) => told !== null && told !== expected);
      const silent = some.filter(({ told }) => told === null).length;
      const words = wrong.map(
        ({ told, expected, origin, width, units }) =>
          `${origin}, ${units} units, ${width}: told as ${told}, but it is ${expected}`,
      );
      printed(`${channel}, ${size}`, { right: some.length - silent - wrong.length, null: silent }, words);
    }
  }
} finally {
  for (const one of busy) one.kill();
}
process.exit();
