import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { describe } from '../../../src/core/describe/describe.ts';
import { roughTotal } from '../../../src/core/recording/rough-total.ts';
import { probeFor } from '../../../src/probe/probe.ts';

const fixture = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), 'utf8'));

const VALUES: Record<string, unknown> = {
  ...Object.fromEntries(
    ['districts', 'orders', 'rows', 'store', 'telemetry'].map((name) => [name, fixture(name)]),
  ),
  'a buffer beside small fields': { task: 'blur', image: new Uint8Array(1_000_000) },
  'a long text': { text: 'x'.repeat(400_000) },
  'text of two bytes a unit': { text: '\u4e16'.repeat(200_000) },
  dates: Array.from({ length: 1000 }, (_, i) => new Date(i)),
};

for (const [name, value] of Object.entries(VALUES)) {
  test(`the size of what was described in part is near the true one: ${name}`, async () => {
    const shape = describe(value, await probeFor(), { limits: { nodes: 1000 } });
    const seen = { record: 'message', group: 0, nth: 0, hint: 1, bytes: null, shape } as const;
    const rough = roughTotal([seen], 10, 10);
    const bytes = 10 * serialize(value).byteLength;
    assert.ok(rough);
    assert.ok(rough.ci[0] <= bytes && bytes <= rough.ci[1], `${rough.total} ${rough.ci}, true: ${bytes}`);
  });
}

test('nothing is known of messages that were not described', () => {
  const seen = { record: 'message', group: 0, nth: 0, hint: 1, bytes: null } as const;
  assert.equal(roughTotal([seen], 1, 1), null);
});
