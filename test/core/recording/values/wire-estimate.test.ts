import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serialize } from 'node:v8';
import { describe } from '../../../../src/core/describe/describe.ts';
import { estimatedBytes } from '../../../../src/core/recording/values/wire-estimate.ts';
import { probeFor } from '../../../../src/probe/probe.ts';

const rows = (length: number) =>
  Array.from({ length }, (_, id) => ({
    id,
    name: `row ${id}`,
    done: id % 2 === 0,
    price: id + 0.5,
    tags: ['a', 'b'],
  }));

const VALUES: Record<string, unknown> = {
  rows: rows(5000),
  'one long text': 'x'.repeat(500_000),
  'texts of two bytes a unit': Array.from({ length: 2000 }, (_, i) => `число ${i} ${'ж'.repeat(50)}`),
  'a Map of records': new Map(rows(3000).map((row) => [row.name, row])),
  'a buffer': new Uint8Array(300_000).buffer,
  numbers: Array.from({ length: 20_000 }, (_, i) => i / 3),
};

for (const [name, value] of Object.entries(VALUES))
  test(`the size by the shape is near that of the serializer: ${name}`, async () => {
    const shape = describe(value, await probeFor(), { limits: { nodes: 2000 } });
    const ratio = estimatedBytes(shape) / serialize(value).byteLength;
    assert.ok(ratio > 0.75 && ratio < 1.3, `${ratio}`);
  });
