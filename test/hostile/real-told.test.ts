/** What a new user reads of bytes, dates and BigInts, on real runtimes. */
import { testHostileGuests } from './corpus.ts';

const files = {
  'bytes.mjs': 'export const tile = () => ({ id: 1, pixels: new Uint8Array(1e5) });',
  'mixed.mjs':
    'export const mixed = () => ({ at: new Date(0), id: 12345678901234567890n, tags: new Map([[1, 2]]) });',
};

const IN_BOTH_FORMATS = ['-f', 'terminal', '--details', '-o', 'r.json'];

testHostileGuests('told', [
  {
    name: 'transfer is not proposed where the channel copies',
    files,
    args: ['analyze', 'bytes.mjs', '-b', '50ms', '-r', 'node', '-c', 'ipc-advanced'],
    exit: 0,
    stderr: null,
    stdout: /written out and read back(?![\s\S]*transfer)/,
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
  {
    name: 'no message of an engine quotes a text payload',
    needs: ['bun@1.4.5'],
    files: { 'text.txt': 'SECRETtext that is no JSON' },
    args: ['analyze', 'text.txt', '-b', '50ms', '-r', 'node', '<bun@1.4.5>', ...IN_BOTH_FORMATS],
    exit: 0,
    stderr: /^wrote r\.json$/,
    stdout: /parse-text was refused: (?:Unexpected token|JSON Parse error)/,
    never: /SECRET/,
  },
  {
    name: 'no message of an engine quotes functions, symbols and keys',
    needs: ['bun@1.4.5'],
    files: {
      'refused.mjs': `
        export const save = { id: 1, save: () => 'SECRET' };
        export const named = { id: Symbol('SECRET') };
        export const read = () => JSON.parse('SECRETtext that is no JSON');
        export const circle = () => {
          const rows = { SECRET: { back: null } };
          rows.SECRET.back = rows;
          return JSON.parse(JSON.stringify(rows));
        };`,
    },
    args: [
      ...['analyze', 'refused.mjs', '--no-measure', '-r', 'node', '<bun@1.4.5>'],
      ...['-c', 'worker', 'ipc-advanced', ...IN_BOTH_FORMATS],
    ],
    exit: 3,
    stderr: [
      /^wrote r\.json$/,
      /factory 'read' threw: .*Unexpected token … is not valid JSON \(line 4, column \d+\)/,
    ],
    stdout: /The engine says: A\s+symbol\s+could\s+not be cloned/,
    never: /SECRET/,
    mostLines: 40,
  },
]);
