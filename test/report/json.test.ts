import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReport } from '../../src/report/text/json.ts';
import { FROZEN } from './frozen/reports.ts';

test('the order of keys does not depend on how the report was built', () => {
  const { apply } = FROZEN;
  assert.ok(apply);
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, inner]) => [key, reversed(inner)]),
    );
  };
  assert.equal(jsonReport(reversed(apply) as typeof apply), jsonReport(apply));
});
