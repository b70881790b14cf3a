/** Misfits through the codecs that real samples allow, in every runtime: one process each. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { REMEDIES } from '../../../src/codec/remedies/index.ts';
import type { Remedy } from '../../../src/model/rules/remedy.ts';
import { bundleScript, runScript } from '../../support/run-script.ts';
import { MAIN_RUNTIMES, missing, runtime } from '../../support/runtimes.ts';
import { usually } from '../../support/whole.ts';
import { emitted, factsOf, sampleText, shapeOf } from './emitted.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-codecs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const script = join(folder, 'misfits.mjs');
before(() => bundleScript(fileURLToPath(new URL('./misfits-in-runtime.mjs', import.meta.url)), script));

/** Samples, and how many misfits of each kind are tried in each codec. */
const SAMPLES = usually<readonly [file: string, misfits: number]>(
  [
    ['fixtures/orders.json', 5],
    ['fixtures/catalog.json', 2],
    ['fixtures/telemetry.json', 2],
  ],
  [
    ['fixtures/rows.json', 2],
    ['fixtures/store.json', 2],
    ['fixtures/districts.json', 2],
  ],
);

/** Of each list that is not of numbers. The codecs are the same, and each record is hit more often. */
const RECORDS = 16;
const firstRecords = (value: unknown): unknown =>
  Array.isArray(value) && typeof value[0] === 'object' ? value.slice(0, RECORDS) : value;

function sampleOf(file: string): object {
  const value = JSON.parse(sampleText(file)) as object;
  if (Array.isArray(value)) return firstRecords(value) as object;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, firstRecords(part)]));
}

/** One codec for each plan that the facts of a sample allow, on any engine. */
function writeCodecs(): string[] {
  const codecs: { name: string; sample: string; rounds: number }[] = [];
  const sources = new Set<string>();
  for (const [file, rounds] of SAMPLES) {
    const value = sampleOf(file);
    const sample = `sample-${file.replace(/\W/g, '-')}`;
    writeFileSync(join(folder, sample), JSON.stringify(value));
    const facts = factsOf(value);
    for (const shape of [shapeOf(value, 'v8'), shapeOf(value, 'jsc')])
      for (const assumeIntegers of [true, false])
        for (const remedy of Object.values<Remedy>(REMEDIES))
          for (const plan of remedy.plans(shape, { ...facts, assumeIntegers })) {
            const source = emitted(remedy, plan, value, { language: 'javascript' });
            if (sources.has(source)) continue;
            sources.add(source);
            const name = `${remedy.name}-${sources.size}`;
            writeFileSync(join(folder, `${name}.mjs`), source);
            codecs.push({ name, sample, rounds });
          }
  }
  writeFileSync(join(folder, 'codecs.json'), JSON.stringify(codecs));
  return codecs.map(({ name }) => name.replace(/-\d+$/, ''));
}

const written = writeCodecs();

test('the codecs of several remedies are tried', () => {
  const names = new Set(written);
  for (const name of ['compiled', 'json-text', 'typed-array']) assert.ok(names.has(name), name);
});

/** Node and Bun have the two engines; Deno has that of Node. */
const RUNTIMES = usually(
  MAIN_RUNTIMES.filter((spec) => !spec.startsWith('deno')),
  MAIN_RUNTIMES.filter((spec) => spec.startsWith('deno')),
);

for (const spec of RUNTIMES)
  test(`misfits arrive equal through a worker (seed 1): ${spec}`, { skip: missing(spec) }, async () => {
    const printed = await runScript(runtime(spec), [script, folder]);
    const { sent, misses, wrong } = JSON.parse(printed) as { sent: number; misses: number; wrong: string[] };
    assert.deepEqual(wrong, []);
    assert.ok(sent > 300 && misses > 100 && misses < sent, `${misses} of ${sent}`);
  });
