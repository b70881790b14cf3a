import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Shape } from '../../../src/model/documents/shape.ts';
import { rowsIn, shapeOf } from '../../make.ts';
import { classified, run, tableOf } from './classified.ts';

/** What modules of fixtures/payloads show of single rules on real engines is left out. */
const VERDICTS = [...tableOf('verdicts of JavaScriptCore'), ...tableOf('verdicts of V8')];
for (const [where = '', facts = '', expected, blockers] of VERDICTS)
  test(`${where}: ${facts}`, () => {
    const { verdict } = run(where, rowsIn(facts));
    assert.deepEqual(
      [`${verdict.path} ${verdict.class}`, verdict.blockers.map((b) => `${b.rule} ${b.path}`).join(', ')],
      [expected, blockers],
    );
  });

for (const [where = '', facts = '', found = ''] of tableOf('rows beside those of payload modules'))
  test(`${where}: ${facts}: ${found}`, () => {
    const { findings } = run(where, rowsIn(facts));
    assert.ok(findings.map(({ rule, path }) => `${rule} ${path}`).includes(found));
  });

/** Facts of the whole payload. */
const WHOLE: [where: string, facts: Partial<Shape>, rule: string][] = [
  ['bun@1.4.5', { depth: 40_000 }, 'spec/too-deep'],
  ['deno@2.9.6 ipc-json', { depth: 128 }, 'spec/too-deep'],
  ['chromium@156 extension', { depth: 6000 }, 'spec/too-deep'],
  ['electron@33.2.1 electron-bridge', { depth: 501 }, 'spec/too-deep'],
  ['chromium@156 extension', { jsonBytes: 2 ** 26 + 1 }, 'spec/message-too-large'],
];

for (const [where, facts, rule] of WHOLE)
  test(`${where}: ${JSON.stringify(facts)}: ${rule}`, () => {
    const { findings } = classified(where, { ...shapeOf('v8', ...rowsIn('$ object')), ...facts });
    assert.ok(findings.some((one) => one.rule === rule));
  });

for (const [where = '', facts = '', upgrade] of tableOf('upgrades'))
  test(`upgrade from ${where}: ${facts}`, () => {
    const found = run(where, rowsIn(facts)).verdict.upgrade;
    assert.equal(found ? `${found.since} ${found.path} ${found.class}` : 'null', upgrade);
  });

for (const [where = '', facts = '', path] of tableOf('paths without blockers'))
  test(`aspired on ${where}: ${facts}`, () =>
    assert.equal(String(run(where, rowsIn(facts)).verdict.aspired), path));
