import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze, check, sweep } from '../../../src/index.ts';

const refused = (message: RegExp) => ({ name: 'ToolError', code: 'usage', message });

for (const [options, message] of [
  [{ runtimes: 'node' }, /^analyze: runtimes: expected array; got "node"$/],
  [{ channels: ['foo'] }, /^analyze: channels\[0\]: expected one of "worker".*; got "foo"$/],
  [{ budgetMs: '5s' }, /^analyze: budgetMs: expected number; got "5s"$/],
  [
    { measure: 'no', via: ['none'] },
    /^analyze: via\[0\]: .*got "none"; measure: expected boolean; got "no"$/,
  ],
  [{ runtime: ['node'] }, /^analyze: unknown key "runtime"\. Known: .*runtimes/],
  [null, /^analyze: expected object; got null$/],
] as const)
  test(`analyze refuses the options ${JSON.stringify(options)}`, () =>
    assert.rejects(analyze({ a: 1 }, options as never), refused(message)));

test('sweep and check refuse unknown options too', async () => {
  await assert.rejects(
    sweep('a.json', { exports: ['a'] } as never),
    refused(/^sweep: unknown key "exports"/),
  );
  await assert.rejects(check([], { measure: false } as never), refused(/^check: unknown key "measure"/));
});
