/** Further rows of a rule, next to the row whose payload is in fixtures/payloads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches, isInForce } from '../../../src/engines/classify/match.ts';
import { RULE_BOOKS } from '../../../src/engines/index.ts';
import type { Shape } from '../../../src/model/documents/shape.ts';
import type { Rule } from '../../../src/model/rules/rule.ts';
import { groupedBy } from '../../../src/model/sums.ts';
import { rowsIn, shapeOf } from '../../make.ts';
import { classified, contextOf, tableOf } from './classified.ts';

const ROWS = tableOf('rows beside those of payload modules').map(
  ([where = '', facts = '', found = '']): [where: string, shape: Shape, found: string] => {
    return [where, shapeOf(contextOf(where).runtime.engine, ...rowsIn(facts)), found];
  },
);

const wholeOf = (facts: Partial<Shape>): Shape => ({ ...shapeOf('v8', ...rowsIn('$ object')), ...facts });

/** Facts of the whole payload. */
const WHOLE: [where: string, shape: Shape, found: string][] = [
  ['node@24.21.0', wholeOf({ depth: 4000 }), 'spec/too-deep $'],
  ['bun@1.4.5', wholeOf({ depth: 40_000 }), 'spec/too-deep $'],
  ['deno@2.9.6 ipc-json', wholeOf({ depth: 128 }), 'spec/too-deep $'],
  ['chromium@156 extension', wholeOf({ depth: 6000 }), 'spec/too-deep $'],
  ['electron@33.2.1 electron-bridge', wholeOf({ depth: 501 }), 'spec/too-deep $'],
  ['chromium@156 extension', wholeOf({ jsonBytes: 2 ** 26 + 1 }), 'spec/message-too-large $'],
  ['node@24.21.0 ipc-json', shapeOf('v8', ...rowsIn('$ string size=536870886')), 'spec/message-too-large $'],
];

const ALL = [...ROWS, ...WHOLE];

for (const [at, [where, shape, expected]] of ALL.entries())
  test(`row ${at + 1}, ${where}: ${expected}`, () => {
    const { findings } = classified(where, shape);
    const found = findings.map(({ rule, path }) => `${rule} ${path}`);
    assert.ok(found.includes(expected), found.join());
  });

/** True if a value of the tables has the finding by this row alone. */
const isTried = (row: Rule, rows: readonly Rule[]): boolean =>
  ALL.some(([where, shape]) => {
    const context = contextOf(where);
    const inForce = rows.filter(({ scope }) => isInForce(scope, context));
    const matches = findMatches(shape, inForce, context);
    return matches.length > 0 && matches.every(({ rule }) => rule === row);
  });

for (const [name, rules] of Object.entries(RULE_BOOKS))
  test(`${name}: each further row of a rule is tried here`, () => {
    const missing = [...groupedBy(rules, ({ id }) => id).values()].flatMap((rows) =>
      rows.slice(1).filter((row) => !isTried(row, rows)),
    );
    assert.deepEqual(
      missing.map(({ id, at, scope }) => ({ id, at, scope })),
      [],
    );
  });
