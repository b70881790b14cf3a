/** The gate on a real runtime: what a baseline holds, and what changes between two checks. */
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { testHostileGuests } from './corpus.ts';
import { BASELINE, CONFIG } from './pull-requests.ts';

const config = (...payloads: unknown[]) => JSON.stringify({ payloads });
const line = (text: string) => `{"type":"order","text":"${text}"}\n`;

const ENVIRONMENT = `
const secret = process.env.SECRET_ENV;
export const env = { ...process.env };
export const keyed = { by: { [secret]: [1, , 2] }, at: new Map([[secret, { [secret]: new Date() }]]) };
export const failed = Object.assign(new Error(secret), { list: [secret, { [secret]: () => 1 }] });
`;

testHostileGuests('gate', [
  {
    name: 'a baseline of payloads full of secrets holds none; masked copies neither, and only their owner reads them',
    files: { 'env.mjs': ENVIRONMENT, [CONFIG]: config('env.mjs') },
    before: [['baseline']],
    args: ['check', '--accept', '--samples', '--mask'],
    exit: 0,
    stderr: /texts are masked/,
    also(_, folder) {
      assert.equal(statSync(join(folder, BASELINE)).mode & 0o777, 0o600);
    },
  },
  {
    name: 'lines that are 500 times longer, in the same kind of message',
    isRepeated: true,
    files: {
      'before.ndjson': line('a').repeat(5),
      'after.ndjson': line('a').repeat(5) + line('a'.repeat(20_000)).repeat(5),
      'a.json': config({ id: 'events', input: 'before.ndjson' }),
      'b.json': config({ id: 'events', input: 'after.ndjson' }),
    },
    before: [['baseline', '--config', 'a.json']],
    args: ['check', '--config', 'b.json'],
    exit: 1,
    stderr: [],
    mostLines: 3,
    stdout: /events#order on .*maxBytes: \d+ B -> 20\.0 kB, \+\d+,\d+ %/s,
  },
  {
    name: 'one of two shards',
    isRepeated: true,
    files: { 'a.json': '[{"id":1}]', 'b.json': '[{"id":1}]', [CONFIG]: config('a.json', 'b.json') },
    before: [['check', '--shard', '2/2', '-f', 'json=2.json']],
    args: ['check', '--merge', '2.json'],
    exit: 2,
    stderr: /shard 1 of 2 is missing/,
  },
]);
