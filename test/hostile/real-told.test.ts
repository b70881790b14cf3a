/** What a new user reads of bytes, dates and BigInts, on real runtimes. */
import { testHostileGuests } from './corpus.ts';

const files = {
  'bytes.mjs': 'export const tile = () => ({ id: 1, pixels: new Uint8Array(1e5) });',
  'mixed.mjs':
    'export const mixed = () => ({ at: new Date(0), id: 12345678901234567890n, tags: new Map([[1, 2]]) });',
};

testHostileGuests('told', [
  {
    name: 'transfer is not proposed where the channel copies',
    files,
    args: ['analyze', 'bytes.mjs', '-b', '50ms', '-r', 'node', '-c', 'ipc-advanced'],
    exit: 0,
    stderr: null,
    stdout: /serialized(?![\s\S]*transfer)/,
  },
  {
    name: 'dates, BigInts and Maps: no word of JSON, on Bun',
    needs: ['bun@1.4.5'],
    files,
    args: ['analyze', 'mixed.mjs', '-b', '50ms', '-r', '<bun@1.4.5>'],
    exit: 0,
    stderr: null,
    stdout: /mixed#mixed(?![\s\S]*(JSON text|no rewrite fits))/,
  },
]);
