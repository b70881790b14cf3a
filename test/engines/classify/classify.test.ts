import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsIn } from '../../make.ts';
import { run, tableOf } from './classified.ts';

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

for (const [where = '', facts = '', upgrade] of tableOf('upgrades'))
  test(`upgrade from ${where}: ${facts}`, () => {
    const found = run(where, rowsIn(facts)).verdict.upgrade;
    assert.equal(found ? `${found.since} ${found.path} ${found.class}` : 'null', upgrade);
  });

for (const [where = '', facts = '', path] of tableOf('paths without blockers'))
  test(`aspired on ${where}: ${facts}`, () =>
    assert.equal(String(run(where, rowsIn(facts)).verdict.aspired), path));
