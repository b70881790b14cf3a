/** Positions and scopes of rules. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inScope, isAt } from '../../../src/engines/classify/match.ts';
import type { RuntimeName } from '../../../src/model/names.ts';
import type { RulePosition } from '../../../src/model/rules/rule.ts';
import { row } from '../../make.ts';
import { tableOf } from './classified.ts';

for (const [pattern = '', at, holds] of tableOf('positions'))
  test(`a value at ${pattern} is ${at}: ${holds}`, () =>
    assert.equal(String(isAt(at as RulePosition, row(pattern, 'object'))), holds));

const SCOPES: [runtime: RuntimeName, version: string, holds: boolean][] = [
  ['workerd', '1.20260420.0', true],
  ['workerd', '1.20260421.0', false],
  ['workerd', '1.20261117.1', false],
  ['node', '24.21.0', true],
];

for (const [name, version, holds] of SCOPES)
  test(`a rule that leaves out workerd from 1.20260421.0 on ${holds ? 'holds' : 'does not hold'} on ${name} ${version}`, () => {
    const runtime = { name, version, engine: 'v8' } as const;
    const scope = { exceptOn: { workerd: '>=1.20260421.0' } } as const;
    assert.equal(inScope(scope, { runtime, channel: 'worker' }), holds);
  });
