import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { jsonSchema } from '../../../src/app/store/documents.ts';
import type { SweepReport } from '../../../src/model/documents/sweep.ts';
import { runCli } from '../../support/run-cli.ts';

const validate = new Ajv2020({ allErrors: true }).compile(jsonSchema('sweep.schema.json'));

async function sweptBy(args: string): Promise<SweepReport> {
  const { stdout } = await runCli([...args.split(' '), '-f', 'json'], {
    files: { 'a.json': '[{"a":[1]},{"a":[2]}]' },
    runtimes: ['bun@1.4.5', 'bun@1.2.20'],
  });
  return JSON.parse(stdout) as SweepReport;
}

describe('the JSON Schema of a sweep', () => {
  for (const args of ['sweep a.json --steps 2', 'sweep --preset bun-arrays', 'sweep --preset blog-keys']) {
    test(`fits ${args}`, async () => {
      const report = await sweptBy(args);
      assert.equal(validate(report), true, JSON.stringify(validate.errors));
      assert.equal(validate({ ...report, later: 1 }), true, 'unknown fields are allowed');
    });
  }

  test('refuses other documents', async () => {
    const report = await sweptBy('sweep a.json --steps 2');
    const [point, ...points] = report.points;
    const wrong = [
      { ...report, schema: 'clone-prof/sweep@2' },
      { ...report, points: [{ ...point, unit: 'rows' }, ...points] },
      { ...report, points: [{ ...point, roundTrip: { median: 1, ci: [1] } }, ...points] },
      { ...report, crossovers: null },
    ];
    for (const one of wrong) assert.equal(validate(one), false, JSON.stringify(one).slice(0, 200));
  });
});
