import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { type Program, programOn, recorded, totalOf } from './recorded.ts';

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

// Messages to processes.

/**
 * A parent with a child of each mode, in both directions. The view shows a few bytes of a larger buffer; over JSON the message
 * has a function, which no clone takes.
 */
const FILES: Program['files'] = {
  'main.mjs': `import { fork } from 'node:child_process';
const file = new URL('./child.mjs', import.meta.url);
const message = (mode) => ({
  mode, list: Array.from({ length: 60 }, (_, i) => ({ i, half: i + 0.5 })), date: new Date(0), text: 'ä"',
  ...(mode === 'advanced' ? { map: new Map([['a', 1]]), view: new Uint8Array(5000).subarray(0, 40) } : { f() {} }),
});
const started = (mode, options) => new Promise((resolve) => {
  const child = fork(file, [], options);
  let answers = 0;
  const send = () => { child.send(message(mode)); };
  child.on('message', (answer) => {
    if (++answers === 3) child.disconnect();
    else send();
    if (answers === 1) console.log(mode, answer.date instanceof Date, answer.size);
  });
  child.on('exit', resolve);
  send();
});
const bytes = (await import('node:v8')).serialize(message('advanced')).length;
await started('json', undefined);
await started('advanced', { serialization: 'advanced' });
console.log('bytes', Buffer.byteLength(JSON.stringify(message('json')) + '\\n'), bytes);
`,
  'child.mjs': `process.on('message', ({ mode, list, date, text }) => {
  process.send({ mode, list, date: new Date(date), text, size: list.length });
});
`,
};

for (const spec of usually<RuntimeSpec>(['node', 'bun@1.4.5', 'deno@2.9.6'], ['bun@1.2.20']))
  test(`${spec}: messages to processes: serialization and bytes`, { skip: missing(spec) }, async () => {
    const program = programOn(spec, FILES);
    const result = await recorded(program);
    const [, json, advanced] =
      /^json false 60\nadvanced true 60\nbytes (\d+) (\d+)\n$/.exec(result.stdout)?.map(Number) ??
      assert.fail(result.stdout + result.stderr);
    const told = result.messages.map(({ api, from, to, serialization, count }) =>
      [count, api, from, to, serialization].join(' '),
    );
    assert.deepEqual(told.sort(), [
      '3 ChildProcess.send main child child.mjs advanced',
      '3 ChildProcess.send main child child.mjs json',
      '3 process.send child child.mjs main advanced',
      '3 process.send child child.mjs main json',
    ]);
    const bytesOf = (api: string, mode: string) =>
      result.messages.find((one) => one.api === api && one.serialization === mode)?.bytes;
    const text = bytesOf('ChildProcess.send', 'json')!;
    assert.deepEqual([text.total, text.max], [3 * json!, json]);
    // Other fractions may have other digits.
    assert.ok(text.ci[0] > 0.995 * text.total && text.ci[1] < 1.005 * text.total, text.ci.join());
    assert.equal(bytesOf('ChildProcess.send', 'advanced')?.total, 3 * advanced!);
    for (const mode of ['json', 'advanced']) assert.ok(bytesOf('process.send', mode)!.total > 1000, mode);
    assert.deepEqual(result.header.gaps, []);
  });

/** Ends before a large message is written. */
const LOST: Program['files'] = {
  'main.mjs': `import { fork } from 'node:child_process';
const child = fork(new URL('./child.mjs', import.meta.url), [process.env.UNITS]);
child.on('message', () => {});
child.listenerCount('message');
child.on('exit', () => setTimeout(() => {}, 50));
for (const word of ['go', 'on']) child.send(word);
`,
  'child.mjs': `process.once('message', () => {
  process.send({ rows: 'x'.repeat(process.argv[2]) });
  process.exit(0);
});
`,
};

for (const [units, arrived] of [
  ['10', 1],
  ['3000000', 0],
] as const)
  test(`node: ${arrived} is the number of received messages if ${units} units are sent before an exit`, async () => {
    const { messages } = await recorded({ files: LOST, env: { UNITS: units } });
    const [toChild, ...told] = messages.map(({ api, count, received }) => `${api} ${count} ${received}`);
    // The child may exit before it has read the second word.
    assert.match(toChild ?? '', /^ChildProcess\.send 2 [12]$/);
    assert.deepEqual(told, [`process.send 1 ${arrived}`]);
  });
