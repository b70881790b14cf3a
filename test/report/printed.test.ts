/** Commands that print nodes without a document around them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VERIFY_SCHEMA } from '../../src/model/names.ts';
import type { Seen, VerifyReport, VerifyResult } from '../../src/model/report/verify.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import { meaningNodes, runtimeNodes, verifyNodes } from '../../src/report/print/rules.ts';
import { terminalNodes } from '../../src/report/terminal/nodes.ts';
import { PLAIN } from './render.ts';

const here = (version: string): FoundRuntime => ({
  ...{ name: 'bun', version, engine: 'jsc', spec: `bun@${version}`, binary: '/b', from: 'PATH' },
});

test('a runtime that is too old is listed with the version that it needs', () => {
  const all = [here('1.4.5'), { ...here('1.0.0'), needs: '1.0.36' }];
  assert.deepEqual(terminalNodes(runtimeNodes(all), PLAIN).split('\n'), [
    '  bun@1.4.5  jsc  PATH                         /b',
    '  bun@1.0.0  jsc  PATH, too old: needs 1.0.36  /b',
    '',
  ]);
});

test('paths stay in one piece if the width is unlimited', () => {
  const binary = `/${'long/'.repeat(40)}bun`;
  const options = { ...PLAIN, columns: Number.POSITIVE_INFINITY };
  assert.equal(
    terminalNodes(runtimeNodes([{ ...here('1.4.5'), binary }]), options),
    `  bun@1.4.5  jsc  PATH  ${binary}\n`,
  );
});

test('a path that does not fit next to the rest is printed below it', () => {
  const found = { ...here('1.4.5'), binary: `/${'long/'.repeat(8)}bun` };
  assert.deepEqual(terminalNodes(runtimeNodes([found]), { ...PLAIN, columns: 40 }).split('\n'), [
    '  bun@1.4.5 · jsc · PATH',
    '    /long/long/long/long/long/long/long/',
    '    long/bun',
    '',
  ]);
});

test('an example of explain is printed unchanged, even if it is wide', () => {
  const example = [`export const fires = () => '${'x'.repeat(100)}';`];
  const printed = terminalNodes(
    meaningNodes([{ word: 'w', kind: 'rule, slow', text: 'T.', example }]),
    PLAIN,
  );
  assert.deepEqual(printed.split('\n'), ['w · rule, slow', '  T.', '', ...example, '']);
});

test('verify prints each rule in a row, and adds what was seen if the rule does not hold', () => {
  const seen = (predicted: Seen['predicted'], bytes: number | null = null): Seen => ({
    ...{ predicted, bytes, fired: true, confirmed: true, losses: '', evidence: 'tag o' },
  });
  const rule: VerifyResult = {
    ...{ runtime: 'node@24.0.0', engine: 'v8', rule: 'v8/date', inScope: true, holds: true, why: '' },
    ...{ fires: seen('fast-object'), nearMiss: seen('one-byte-string', 5) },
  };
  const broken = { ...rule, rule: 'v8/set', holds: false, why: 'the engine disagrees' };
  const results = [rule, broken, { ...rule, inScope: false }];
  const object = { runtime: 'node@24.0.0', channel: 'worker', why: '', class: 'Blob' } as const;
  const report: VerifyReport = {
    ...{ schema: VERIFY_SCHEMA, holds: false, results },
    objects: [{ ...object, told: ['cloned'], seen: ['cloned'], holds: true }],
  };
  assert.deepEqual(terminalNodes(verifyNodes(report), { ...PLAIN, unicode: false }).split('\n'), [
    'node@24.0.0',
    '  1 hold, 1 do not, 0 without an oracle',
    '  verdicts agree on 1 values of other rules',
    '  v8/date  holds          fast-object, not one-byte-string (5 bytes)',
    '  v8/set   DOES NOT HOLD',
    '',
    '  x v8/set: the engine disagrees',
    '    value: predicted fast-object, the rule fires, the engine agrees (tag o)',
    '    near miss: predicted one-byte-string, the rule fires, the engine agrees (tag',
    '    o)',
    '',
    'Objects of the platform: 1 class, 1 of 1 as the table says',
    '  Blob  holds  cloned',
    '',
    '  x 1 rule does not hold. The rule book is wrong there, not your program: please',
    '    report the lines above.',
    '',
  ]);
});
