import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thrownText } from '../../../src/record/sites/sites.ts';
import { missing, type RuntimeSpec } from '../../support/runtimes.ts';
import { bare, programNamed, programOn, recorded } from './recorded.ts';

/** 40 of 41 posts of one line throw, in an async function too; a clone, data of a worker, and a getter that throws. */
const FILES = programNamed('posts that throw');

const THREW = [
  'main.mjs:4: 40 of 41 posts threw DataCloneError: $.ctx.user.save is a function',
  'main.mjs:11: 1 of 1 post threw DataCloneError: $.secret.* is a Promise',
  'main.mjs:12: 1 of 1 post threw RangeError: $.a is a getter, whose value is not known',
  'main.mjs:13: 1 of 1 post threw DataCloneError: $.list[0] is a symbol',
];

for (const spec of ['node', 'bun@1.4.5', 'deno@2.9.6'] as RuntimeSpec[])
  test(`${spec}: posts that throw: counts, and paths of what was refused`, {
    skip: missing(spec),
  }, async () => {
    const program = programOn(spec, FILES);
    const result = await recorded(program);
    assert.equal(result.stdout, 'DataCloneError,RangeError \n', result.stderr);
    assert.deepEqual(result.thrown.map(thrownText), THREW);
    assert.equal(result.thrown[0]!.stack[0]!.line, 4);
    assert.ok(!/a@b|valued/.test(result.written), 'a key or a message was written');
  });

test('a doctor tells the program itself', async () => {
  const settings = { doctor: true };
  const files = { 'main.mjs': FILES['main.mjs']!.replace("process.argv.includes('stacks')", 'true') };
  const { stdout, written } = await recorded({ files, settings });
  const [first] = stdout.split('\n').filter((line) => line.includes('could not be cloned'));
  const told = '[$.ctx.user.save is a function, posted at <folder>/main.mjs:4]';
  assert.ok(first!.endsWith(`could not be cloned. ${told}`), first);
  // In the stack and in the message of each.
  assert.equal(stdout.split(told).length - 1, 80);
  assert.ok(stdout.includes('[$.secret["a@b.c"] is a Promise, posted at'), stdout.slice(-2000));
  assert.ok(written.includes('"thrown"'));
  assert.ok(!/a@b|valued/.test(written), 'a key or a message was written');
});

test('posts of one line that throw again and again are not looked at each time; those while the thread ends are counted', async () => {
  const files = programNamed('posts of one line that throw');
  const result = await recorded({ files });
  assert.deepEqual(result.thrown.map(thrownText), [
    'main.cjs:2: 2,000 of 2,000 posts threw DataCloneError: $.f is a function',
    'main.cjs:5: 37 of 37 posts threw DataCloneError: $ is a function',
  ]);
  assert.deepEqual(result.messages, []);
  const written = result.written.split('\n').filter((line) => line.includes('"record":"message"')).length;
  assert.ok(written < 100, `${written} looks were written`);
});

test('messages that arrive and cannot be read are counted at the receiver', async () => {
  const files = programNamed('messages that cannot be read');
  const [without, result] = await Promise.all([bare({ files }), recorded({ files })]);
  assert.equal(result.stdout, without.stdout, result.stderr);
  // Node 20 cannot read such an error; later versions can.
  const unread = without.stdout.includes('port unread');
  const counts = ['main', 'worker worker.cjs'].map((thread) => ({ thread, count: 1 }));
  assert.deepEqual(result.unread, unread ? counts : []);
  assert.ok(result.messages.every(({ count, received }) => count === received));
});
