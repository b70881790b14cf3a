/** Modules that flood the connection of their guest: their run fails alone, and the host's memory stays small. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostile } from './corpus.ts';

const GOOD = { 'good.json': '{"a": 1}' };
const FAILED: Pick<HostileCase, 'exit' | 'stderr' | 'mostLines' | 'stdout'> = {
  exit: 3,
  stderr: [],
  mostLines: 4,
  stdout: /bad\.mjs: its process sent an invalid reply[\s\S]*good\.json · /,
};
const analyze = [
  'analyze',
  'bad.mjs',
  'good.json',
  '--no-measure',
  '-r',
  'node',
  '--timeout',
  '60s',
] as const;

/** Writes the peak of the host's memory, in kB, when it ends. */
const PEAK = `
import { writeFileSync } from 'node:fs';
if (process.argv[1]?.endsWith('clone-prof.js'))
  process.on('exit', () => writeFileSync('peak', String(process.resourceUsage().maxRSS)));
`;
const MAX_KB = 150_000;
const measured = {
  env: { COLUMNS: '240', NODE_OPTIONS: '--import=<folder>/peak.mjs' },
  also: (_: unknown, folder: string) => {
    const kb = Number(readFileSync(join(folder, 'peak'), 'utf8'));
    assert.ok(kb > 1000 && kb < MAX_KB, `the host took ${kb} kB`);
  },
};

const ENDLESS: HostileCase[] = [
  {
    name: 'an endless line, in large pieces',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `
const piece = Buffer.alloc(1 << 20, 'y');
for (const one of process._getActiveHandles()) if (one.remotePort) {
  const more = () => { while (one.write(piece)); one.once('drain', more); };
  more();
}
export const v = await new Promise(() => {});`,
    },
    args: analyze,
    ...FAILED,
    stdout: /a line of more than 33,554,432 bytes[\s\S]*good\.json · /,
    ...measured,
  },
  {
    name: 'an endless line, in pieces of one byte',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `
for (const one of process._getActiveHandles()) if (one.remotePort) {
  const more = () => { for (let i = 0; i < 100; i++) one.write('y'); setImmediate(more); };
  more();
}
export const v = await new Promise(() => {});`,
    },
    args: ['analyze', 'bad.mjs', 'good.json', '--no-measure', '-r', 'node', '--timeout', '5s'],
    ...FAILED,
    stdout: /bad\.mjs: no answer within 5000 ms while opening it[\s\S]*good\.json · /,
    ...measured,
  },
  {
    // The guest cannot write so much at once and ends, with a part of one line sent.
    name: 'an endless line, in pieces that are too many for the guest',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `export const flood = () => {
  for (let i = 0; i < 400; i++)
    for (const one of process._getActiveHandles()) if (one.remotePort) one.write('x'.repeat(1e6));
  return [1];
};`,
    },
    args: analyze,
    ...FAILED,
    stdout: /bad\.mjs: the runtime [\s\S]*The connection to clone-prof was closed[\s\S]*good\.json · /,
    ...measured,
  },
  {
    name: 'a million lines',
    files: {
      ...GOOD,
      'peak.mjs': PEAK,
      'bad.mjs': `for (const one of process._getActiveHandles()) one.write?.('x\\n'.repeat(1e6));
export const v = await new Promise(() => {});`,
    },
    args: analyze,
    ...FAILED,
    ...measured,
  },
];
// In large pieces it is refused by its length, otherwise by the time.
testHostile('wire', usually(ENDLESS.slice(0, 1), ENDLESS.slice(1)));
