import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recorded, totalOf } from './recorded.ts';

/** Posts what `messages` is, and prints the size of each. What is `listed` is transferred. */
const program = (messages: string) => ({
  'main.cjs': `
const { MessageChannel } = require('node:worker_threads');
const { Serializer } = require('node:v8');
const listIn = ({ listed }) => (listed ? [listed.buffer] : []);
function size(value) {
  const s = new Serializer();
  s.writeHeader();
  for (const buffer of listIn(value)) s.transferArrayBuffer(0, buffer);
  s.writeValue(value);
  return s.releaseBuffer().length;
}
const messages = ${messages};
const sizes = messages.map(size);
const { port1, port2 } = new MessageChannel();
for (const message of messages) port1.postMessage(message, listIn(message));
port1.close();
console.log(sizes.join(' '));`,
});

const RECORD = "{ id: i, name: 'name ' + i, note: 'x'.repeat(20 + (i * 7) % 80), list: [i, i / 3] }";

const PROGRAMS: Record<string, { messages: string; groups: number; width: number }> = {
  'a dictionary of 20,000 keys within a message': {
    messages: `[{ type: 'all', data: Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => ['user:' + i, ${RECORD}])) }]`,
    groups: 1,
    width: 1.3,
  },
  '40 small messages, then 5 of 1 MB, in an envelope': {
    messages:
      "Array.from({ length: 45 }, (_, id) => ({ id, type: 'APPLY', path: ['run'], argumentList: [{ type: 'RAW', value: 'x'.repeat(id < 40 ? 20 : 1e6) }] }))",
    groups: 2,
    width: 1.5,
  },
  'a message of 40 MB': {
    messages:
      '[{ texts: Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(2e6)), bytes: new Uint8Array(10) }]',
    groups: 1,
    width: 1.02,
  },
  'small and large buffers, half of them transferred': {
    messages:
      "Array.from({ length: 20 }, (_, i) => ({ i, [i % 2 ? 'listed' : 'copied']: new Uint8Array(i < 10 ? 400 : 50_000) })).map(({ i, copied, listed }) => ({ i, copied, listed }))",
    groups: 4,
    width: 1.1,
  },
  'nothing, then results': {
    messages: `Array.from({ length: 60 }, (_, id) => ({ id, result: id < 20 ? null : Array.from({ length: 300 }, (_, i) => (${RECORD})) }))`,
    groups: 2,
    width: 12,
  },
  'errors with their stacks, more in each message': {
    messages:
      "Array.from({ length: 8 }, (_, n) => ({ name: 'failed', value: Array.from({ length: 2 ** n }, (_, i) => new RangeError('no ' + i)) }))",
    groups: 1,
    width: 1.6,
  },
  'a class that begins with numbers': {
    messages:
      "Array.from({ length: 90 }, (_, i) => ({ type: 'kind', payload: i % 3 === 0 ? i : 'x'.repeat(i * 40) }))",
    groups: 1,
    width: 1.3,
  },
  'records that share large objects': {
    messages: `[(() => { const shared = Array.from({ length: 10 }, (_, i) => ({ i, rules: Array.from({ length: 300 }, (_, k) => 'rule ' + k) }));
      return Array.from({ length: 2000 }, (_, id) => ({ id, of: shared[id % 10] })); })()]`,
    groups: 1,
    width: 1.5,
  },
};

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

for (const [name, { messages, groups, width }] of Object.entries(PROGRAMS))
  test(`bytes: ${name}`, async () => {
    const result = await recorded({ files: program(messages) });
    const sizes = result.stdout.trim().split(' ').map(Number);
    assert.equal(totalOf(result.messages), sizes.length, result.stderr);
    assert.equal(result.messages.length, groups);
    const end = (at: 0 | 1) => sum(result.messages.map(({ bytes }) => bytes!.ci[at]));
    const told = JSON.stringify([end(0), sum(sizes), end(1)]);
    assert.ok(end(0) <= sum(sizes) && sum(sizes) <= end(1), told);
    assert.ok(end(1) <= width * end(0), told);
    assert.ok(result.written.length < 300_000, `${result.written.length} bytes`);
  });
