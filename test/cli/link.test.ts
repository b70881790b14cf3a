import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showLink } from '../../src/cli/session/session.ts';
import { escapedLines } from '../../src/cli/session/world.ts';
import type { OpenLink } from '../../src/model/run/runtime.ts';
import { captured } from '../support/real-cli.ts';

const LINK: OpenLink = {
  url: `http://127.0.0.1:40000/${'0123456789abcdef'.repeat(2)}/`,
  browsers: 2,
  timeoutMs: 30_000,
  isPublic: false,
};

/** Lines on a terminal of so many columns, or in a log. */
async function shown(more: Partial<OpenLink>, columns?: number) {
  const sink = captured(columns !== undefined, columns ?? 0);
  await showLink({ ...LINK, ...more }, { stderr: escapedLines(sink) });
  return sink.text.trimEnd().split('\n');
}

test('a log and a narrow terminal have the link in one line, and no code for a camera', async () => {
  const line = `waiting up to 30 s for 2 browsers on this machine to open ${LINK.url} (Ctrl-C ends)`;
  assert.deepEqual(await shown({}), [line]);
  assert.equal((await shown({}, 40)).length, 1);
});

test('on the network it is warned first', async () => {
  const [warning, link] = await shown({ isPublic: true, browsers: 1 });
  assert.match(warning!, /^warning: --listen: whoever has the link can take part/);
  assert.match(link!, /for 1 browser on any device of the network to open http/);
});

test('a terminal that is wide enough has the code of the link: squares, light around', async () => {
  const lines = await shown({}, 80);
  const code = lines.slice(0, -1);
  assert.ok(code.length > 15);
  assert.ok(code.every((line) => /^[ ▀▄█]+$/u.test(line) && line.length === code[0]!.length));
  // Two modules of each column in a line.
  assert.ok(Math.abs(code.length * 2 - code[0]!.length) <= 1);
  assert.match(code[0]!, /^█+$/u);
});
