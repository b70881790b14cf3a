/** Modules that flood the connection of their guest: their run fails alone, and the host's memory stays small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostile } from './corpus.ts';

/** Writes the peak of the host's memory, in kB, when it ends. */
const PEAK = `
import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('clone-prof.js'))
  process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));
`;
const MAX_KB = 150_000;
const FOREVER = 'export const v = await new Promise(() => {});';

/** @param bad the module @param reason a regular expression */
const flood = (name: string, bad: string, reason: string, timeout = '60s'): HostileCase => ({
  name,
  files: { 'good.json': '{"a": 1}', 'peak.mjs': PEAK, 'bad.mjs': bad },
  args: ['analyze', 'bad.mjs', 'good.json', '--no-measure', '-r', 'node', '--timeout', timeout],
  ...{ exit: 3, mostLines: 4 },
  stdout: new RegExp(`bad\\.mjs: ${reason}[\\s\\S]*good\\.json · `),
  env: { COLUMNS: '240', NODE_OPTIONS: '--import=<folder>/peak.mjs' },
  also: (folder) => {
    const kb = Number(readFileSync(join(folder, 'peak'), 'utf8'));
    assert.ok(kb > 1000 && kb < MAX_KB, `the host took ${kb} kB`);
  },
});
const endless = (more: string) =>
  `for (const one of process._getActiveHandles()) if (one.remotePort) { const more = () => { ${more} }; more(); }\n${FOREVER}`;
const INVALID = 'its process sent an invalid reply';

// In large pieces it is refused by its length, otherwise by the time.
testHostile(
  'wire',
  usually(
    [
      flood(
        'an endless line, in large pieces',
        endless("while (one.write(Buffer.alloc(1 << 20, 'y'))); one.once('drain', more);"),
        `${INVALID}.*a line of more than 33,554,432 bytes`,
      ),
    ],
    [
      flood(
        'an endless line, in pieces of one byte',
        endless("for (let i = 0; i < 100; i++) one.write('y'); setImmediate(more);"),
        'no answer within 5000 ms while opening it',
        '5s',
      ),
      // The guest cannot write so much at once and ends, with a part of one line sent.
      flood(
        'an endless line, in pieces that are too many for the guest',
        `export const flood = () => {
  for (let i = 0; i < 400; i++)
    for (const one of process._getActiveHandles()) if (one.remotePort) one.write('x'.repeat(1e6));
  return [1];
};`,
        'the runtime [\\s\\S]*The connection to clone-prof was closed',
      ),
      flood(
        'a million lines',
        `for (const one of process._getActiveHandles()) one.write?.('x\\n'.repeat(1e6));\n${FOREVER}`,
        INVALID,
      ),
    ],
  ),
);
