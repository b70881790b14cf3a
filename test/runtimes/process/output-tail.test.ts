import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { OutputTail } from '../../../src/runtimes/process/process-exit.ts';

async function tailOf(pieces: string[]): Promise<OutputTail> {
  const stream = Readable.from(pieces.map((piece) => Buffer.from(piece)));
  const tail = new OutputTail();
  tail.follow(stream);
  await text(stream);
  return tail;
}

test('the last 64 kB are kept, regardless of the size of the pieces', async () => {
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`);
  const tail = await tailOf(lines);
  assert.equal(tail.text().length, 65_536);
  assert.ok(lines.join('').endsWith(tail.text()));
});

test('an excerpt has at most 20 lines and 4,000 characters', async () => {
  const tail = await tailOf(['a\n'.repeat(100), 'end\n']);
  assert.equal(tail.excerpt().split('\n').length, 20);
  assert.ok(tail.excerpt().endsWith('a\nend'));
  const wide = await tailOf(['x'.repeat(300_000), '\nend of stdout\n']);
  assert.equal(wide.excerpt().length, 4001);
  assert.ok(wide.excerpt().startsWith('…x') && wide.excerpt().endsWith('\nend of stdout'));
});
