import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Plan, Remedy } from '../../../src/model/rules/remedy.ts';
import { REMEDIES } from '../../../src/remedies/index.ts';
import { runScript } from '../../support/run-script.ts';
import { missing, runtime } from '../../support/runtimes.ts';
import { CASES } from '../cases/index.ts';
import { emitted, FACTS, sampleText, shapeOf } from './emitted.ts';

const folder = mkdtempSync(join(tmpdir(), 'clone-prof-codecs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Reviewed; UPDATE=1 writes them. */
const FROZEN = [
  ['fixtures/orders.json', 'orders.codec.txt', 70],
  ['test/remedies/codecs/catalog.json', 'catalog.codec.txt', 120],
] as const;

for (const [file, frozen, most] of FROZEN)
  test(`the codec of ${file}: as reviewed, at most ${most} lines`, () => {
    const value = JSON.parse(sampleText(file)) as unknown;
    const [plan] = REMEDIES.columns.plans(shapeOf(value), FACTS);
    const text = emitted(REMEDIES.columns, plan!, value, { source: file });
    if (process.env.UPDATE) writeFileSync(here(frozen), text);
    assert.equal(text, readFileSync(here(frozen), 'utf8'));
    assert.ok(text.trimEnd().split('\n').length <= most);
  });

/** Empty samples tell nothing about what they hold. */
const IS_EMPTY = /^empty|^no list/;

test('emitted modules compile under strict', async () => {
  const project = join(folder, 'strict');
  mkdirSync(project);
  let count = 0;
  for (const [name, cases] of Object.entries(CASES)) {
    const remedy: Remedy = REMEDIES[name as keyof typeof REMEDIES];
    for (const [what, make, plan, outcome] of cases) {
      if (outcome === 'refused' || IS_EMPTY.test(what) || what === 'huge') continue;
      const plans: Plan[] = [true, false].flatMap((assumeIntegers) =>
        remedy.plans(shapeOf(make()), { ...FACTS, assumeIntegers }),
      );
      for (const one of [plan, ...plans])
        writeFileSync(join(project, `${name}-${count++}.ts`), `${emitted(remedy, one, make())}// ${what}\n`);
    }
  }
  const options = { target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM'] };
  const compilerOptions = {
    ...options,
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = here('../../../node_modules/typescript/bin/tsc');
  const run = promisify(execFile)(process.execPath, [tsc, '-p', project]);
  const said = await run.then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  assert.equal(said, '');
  assert.ok(count > 100);
});

/** Samples, and how many misfits of each kind are tried in each codec. */
const SAMPLES = [
  ['fixtures/orders.json', 5],
  ['test/remedies/codecs/catalog.json', 2],
  ['fixtures/rows.json', 2],
  ['fixtures/store.json', 2],
  ['fixtures/districts.json', 2],
  ['fixtures/telemetry.json', 2],
] as const;

/** One codec for each plan that the facts of a sample allow, on any engine. */
function writeCodecs(): string[] {
  const codecs: { name: string; sample: string; rounds: number }[] = [];
  const sources = new Set<string>();
  for (const [file, rounds] of SAMPLES) {
    const value = JSON.parse(sampleText(file)) as unknown;
    const sample = `sample-${file.replace(/\W/g, '-')}`;
    writeFileSync(join(folder, sample), sampleText(file));
    for (const engine of ['v8', 'jsc'] as const)
      for (const assumeIntegers of [true, false])
        for (const remedy of Object.values<Remedy>(REMEDIES))
          for (const plan of remedy.plans(shapeOf(value, engine), { ...FACTS, assumeIntegers })) {
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
  for (const name of ['columns', 'json-text', 'typed-array', 'flatten']) assert.ok(names.has(name), name);
});

for (const spec of ['node', 'bun@1.4.5'] as const)
  test(`misfits arrive equal through a worker (seed 1): ${spec}`, { skip: missing(spec) }, async () => {
    const printed = await runScript(runtime(spec), [here('misfits-in-runtime.mjs'), folder]);
    const { sent, misses, wrong } = JSON.parse(printed) as { sent: number; misses: number; wrong: string[] };
    assert.deepEqual(wrong, []);
    assert.ok(sent > 300 && misses > 100 && misses < sent, `${misses} of ${sent}`);
  });
