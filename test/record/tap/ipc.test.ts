import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { type Program, programOn, recorded } from './recorded.ts';

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
