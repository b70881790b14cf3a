/**
 * The string oracle of Firefox against strings of known origin. Exit code 1 when one answer is wrong.
 * usage: npm run verify:strings [-- --values N] [--seed N] [--channel worker,message-port] [--firefox PATH] [--busy N]
 *   --values  strings on each channel
 *   --busy    so many other processes that keep a core busy: no answer may become wrong
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { Channel } from '../../src/model/names.ts';
import { findRuntimes } from '../../src/runtimes/find/find.ts';
import { askedStrings, knownStrings, type StringAnswer } from './firefox-strings.ts';

const { values: options } = parseArgs({
  options: {
    values: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    channel: { type: 'string', default: 'worker,message-port' },
    firefox: { type: 'string', default: 'firefox' },
    busy: { type: 'string', default: '0' },
  },
});

const line = (channel: string, size: string, answers: readonly StringAnswer[]): string => {
  const nulls = answers.filter(({ told }) => told === null).length;
  const right = answers.filter(({ told, expected }) => told === expected).length;
  return `${channel}, ${size}: ${right} right, ${nulls} null, ${answers.length - right - nulls} wrong`;
};

const { found, missing } = await findRuntimes([options.firefox], { cwd: process.cwd(), env: process.env });
for (const { error } of missing) throw error;
const strings = knownStrings(Number(options.seed), Number(options.values));
const busy = Array.from({ length: Number(options.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  for (const channel of options.channel.split(',') as Channel[]) {
    const answers = await askedStrings(found[0]!, strings, channel);
    for (const size of new Set(answers.map((one) => one.size)))
      console.log(
        line(
          channel,
          size,
          answers.filter((one) => one.size === size),
        ),
      );
    console.log(line(channel, 'all', answers));
    for (const { told, expected, origin, width, units } of answers) {
      if (told === null || told === expected) continue;
      console.error(
        `${channel}: ${origin}, ${units} units, ${width}: told as ${told}, but it is ${expected}`,
      );
      process.exitCode = 1;
    }
  }
} finally {
  for (const one of busy) one.kill();
}
process.exit();
