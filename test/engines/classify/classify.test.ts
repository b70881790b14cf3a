/** Tables of verdicts. What modules of fixtures/payloads show of single rules on real engines is left out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionsOf } from '../../../src/engines/classify/match.ts';
import type { RulePosition } from '../../../src/model/rules/rule.ts';
import { row, rowsIn } from '../../make.ts';
import { run, tableOf } from './classified.ts';

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

const seen = ({ verdict, findings }: ReturnType<typeof run>): string[] => [
  `${verdict.path} ${verdict.class}`,
  ...findings.filter(({ rule }) => !rule.startsWith('spec/')).map(({ rule, path }) => `${rule} ${path}`),
  ...verdict.unknowns.map(
    ({ what, path, otherwise }) => `? ${what} ${path} else ${otherwise?.class} ${otherwise?.rule}`,
  ),
];

for (const [where = '', facts = '', expected] of tableOf('browsers'))
  test(`${where}: ${facts}`, () => assert.equal(seen(run(where, rowsIn(facts))).join(', '), expected));

for (const [where = '', facts = '', verdict, rules] of tableOf('objects of the platform'))
  test(`${where}: ${facts}`, () => {
    const told = run(where, rowsIn(facts));
    const found = told.findings.map(({ rule }) => rule).sort();
    assert.deepEqual([`${told.verdict.path} ${told.verdict.class}`, found.join(', ')], [verdict, rules]);
  });

for (const [pattern = '', at, holds] of tableOf('positions'))
  test(`a value at ${pattern} is ${at}: ${holds}`, () =>
    assert.equal(String(positionsOf(row(pattern, 'object')).includes(at as RulePosition)), holds));
