import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecordingSettings } from '../../../src/record/program/recorder.ts';
import { type Recorded, recorded } from './recorded.ts';

/** A marked text at every place where a value, a key or an error can carry one. */
const PROGRAM = `
const { BroadcastChannel, MessageChannel, Worker } = require('node:worker_threads');
const { port1 } = new MessageChannel();
const attempt = (value, transfer) => { try { port1.postMessage(value, transfer); } catch {} };
const users = Object.fromEntries(Array.from({ length: 80 }, (_, i) => ['user' + i + 'S3CRET', { age: i }]));
for (let i = 0; i < 60; i++) {
  attempt('a S3CRET text');
  attempt({ password: 'S3CRET', list: ['S3CRET'], nested: { token: 'S3CRET'.repeat(100) } });
  attempt({ 'S3CRET@example.org': 1, 'S3CRET-2024-12-31': { a: 1 } });
  attempt(users);
  attempt(new Map([['S3CRET', { 'mail S3CRET': 'S3CRET' }]]));
  attempt(new Set(['S3CRET']));
  attempt(new Error('S3CRET'));
  attempt(Object.assign(new Error('S3CRET'), { cause: 'S3CRET' }));
  attempt(/S3CRET/);
  attempt(Buffer.from('S3CRET'));
  attempt({ not: () => 'S3CRET' });
  attempt({ get held() { throw new Error('S3CRET'); } });
  attempt({ age: 4711083, rate: 83.114207, list: [4711083, 83.114207], big: 4711083114207n, at: new Date(1234567890123) });
  attempt([{ bob_S3CRET: 1 }, { amy_S3CRET: 1 }, { eve_S3CRET: 1 }, { tom_S3CRET: 1 }, { kim_S3CRET: 1 }]);
  attempt({ bytes: Buffer.from('S3CRET in bytes'), view: new Float64Array([83.114207]) });
  attempt(Array.from({ length: 3000 }, (_, i) => ({ id: 4711083, name: 'S3CRET' + i })));
}
new BroadcastChannel('S3CRET room').postMessage(1);
new Worker('/* S3CRET */ setTimeout(() => process.exit(), 50)', { eval: true, workerData: 'S3CRET' });
new Worker(new URL('data:text/javascript,structuredClone({}) // S3CRET'));
setTimeout(() => process.exit(), 300);
`;

const run = (settings: Partial<RecordingSettings>, program = PROGRAM): Promise<Recorded> =>
  recorded({ files: { 'main.cjs': program }, settings });

describe('posted values are not stored unless the user requests it', () => {
  test('no value, no map-like key and no error without --values', async () => {
    const result = await run({});
    assert.ok(result.messages.length > 8, result.stderr);
    assert.ok(result.messages.some(({ sample }) => sample !== null));
    const all = result.written + JSON.stringify(result.messages);
    const base64 = Buffer.from('S3CRET in bytes').toString('base64');
    for (const secret of ['S3CRET', '4711083', '83.114207', '1234567890123', base64.slice(0, 8)])
      assert.equal(all.includes(secret), false, secret);
  });

  test('no text with --values --mask', async () => {
    const result = await run({ values: 'masked' });
    assert.ok(result.messages.some(({ sample }) => sample !== null));
    const all = result.written + JSON.stringify(result.messages);
    assert.equal(all.includes('S3CRET'), false);
  });

  test('texts with --values', async () => {
    const result = await run({ values: 'kept' }, "structuredClone({ password: 'S3CRET' });");
    assert.ok(JSON.stringify(result.messages).includes('S3CRET'));
  });
});
