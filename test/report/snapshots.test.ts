import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { XMLValidator } from 'fast-xml-parser';
import { pictures } from '../../scripts/pictures.ts';
import { meaningNodes, runtimeNodes, verifyNodes } from '../../src/cli/actions/rules.ts';
import type { PayloadReport, Report, Run } from '../../src/model/documents/report.ts';
import { VERIFY_SCHEMA } from '../../src/model/names.ts';
import type { FormatOf, RenderOptions } from '../../src/model/report/formats.ts';
import type { Seen, VerifyReport, VerifyResult } from '../../src/model/report/verify.ts';
import type { FoundRuntime } from '../../src/model/run/runtime.ts';
import type { Body } from '../../src/report/nodes.ts';
import type { Document } from '../../src/report/registry.ts';
import { terminalNodes } from '../../src/report/terminal/nodes.ts';
import { advice, copied, estimate, finding, payload, report, verdict } from '../make.ts';
import { compared, comparedSweeps, sweepOf } from './compare/reports.ts';
import { nothing, preset, strategies } from './frozen/sweeps.ts';
import { FROZEN, frozen, PLAIN, render } from './render.ts';

const fixtures = new URL('../../fixtures/reports/', import.meta.url);

/** `UPDATE=1 npm run test:only -- report/` writes the files; read the diff. A missing file fails. */
function assertSameAsFile(path: string, text: string): void {
  const file = fileURLToPath(new URL(path, fixtures));
  if (process.env.UPDATE) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  assert.equal(text, readFileSync(file, 'utf8'));
}

/** Style, script and data are the same in all pages, or another test's: page.test.ts. */
const withoutParts = (page: string): string =>
  page.replace(/(<(style|script)\b[^>]*>)[\s\S]*?(<\/\2>)/g, '$1…$3').replace(/sha256-[\w+/=]+/g, 'sha256-…');

/** Formats that people read, and the endings of their files. */
const DOCUMENTS = { terminal: 'txt', markdown: 'md', html: 'html' } as const satisfies Record<
  Exclude<FormatOf<'report'>, 'json' | 'sarif' | 'benchmark'>,
  string
>;

for (const [name, given] of Object.entries(FROZEN))
  test(`${name} as json is the frozen report on disk`, () => {
    assertSameAsFile(`${name}.json`, render('json', given));
  });

/** The second run of three, changed in all that a comparison tells. */
function changedRun(): Report {
  const [{ id, runs }] = frozen('three-runtimes').payloads as [PayloadReport];
  const was = runs.find(({ runtime }) => runtime.name === 'bun')!;
  const { roundTrip, ...times } = was.measurement!;
  const now: Run = {
    ...{ ...was, verdict: verdict({ class: 'in-memory', path: 'dense-array' }), bytes: copied(10_622) },
    findings: [finding('jsc/nested-value', '$.added', { count: 1200 })],
    trials: was.trials.map((one) => ({ ...one, withConversion: { ratio: 0.21, ci: [0.2, 0.22] } })),
    advice: advice('nothing'),
    measurement: { ...times, roundTrip: { ...roundTrip, median: 536_000 } },
  };
  return report(payload(id, [now]));
}

const SHARES = { 10: estimate(1.5), 1000: estimate(0.8) };
const ALL: Record<string, Document> = {
  ...FROZEN,
  comparison: compared(frozen('three-runtimes'), changedRun()),
  'comparison-of-sweeps': comparedSweeps(
    sweepOf(['node', '24.0.0'], SHARES, [{ size: 30, ci: [28, 32] }]),
    sweepOf(['node', '26.0.0'], { ...SHARES, 1000: estimate(0.4) }, [{ size: 45.5, ci: [40, 50] }]),
  ),
  ...{ 'sweep-strategies': strategies, 'sweep-preset': preset, 'sweep-nothing': nothing },
};

for (const [name, document] of Object.entries(ALL))
  for (const [format, ending] of Object.entries(DOCUMENTS))
    test(`${name} as ${format}`, () => {
      const text = render(format, document);
      const shown = format === 'html' ? withoutParts(text) : text;
      assertSameAsFile(`expected/${format}/${name}.${ending}`, shown);
    });

for (const [format, name, ending] of [
  ['sarif', 'apply', 'sarif'],
  ['sarif', 'recording', 'sarif'],
  ['benchmark', 'three-runtimes', 'json'],
] as const)
  test(`${name} as ${format}`, () => {
    const text = render(format, frozen(name), { folder: 'packages/app' });
    assertSameAsFile(`expected/${format}/${name}.${ending}`, text);
  });

const TERMINALS: { name: string; options: Partial<RenderOptions> }[] = [
  { name: 'color', options: { color: true } },
  { name: 'ascii', options: { unicode: false } },
  { name: 'narrow', options: { columns: 40 } },
  { name: 'wide', options: { columns: 140 } },
];

for (const name of ['apply', 'failures', 'profile-and-branches', 'recording', 'several'])
  test(`${name} on a terminal, with details`, () => {
    const text = render('terminal', frozen(name), { details: true });
    assertSameAsFile(`expected/terminal/${name}.details.txt`, text);
  });

for (const { name, options } of TERMINALS) {
  test(`three runtimes on a terminal: ${name}`, () => {
    const text = render('terminal', frozen('three-runtimes'), options);
    assertSameAsFile(`expected/terminal/three-runtimes.${name}.txt`, text);
  });
}

const here = (version: string, more: Partial<FoundRuntime> = {}): FoundRuntime => ({
  ...{ name: 'bun', version, engine: 'jsc', spec: `bun@${version}`, binary: '/b', from: 'PATH', ...more },
});
const LONG = [here('1.4.5', { binary: `/${'long/'.repeat(40)}bun` })];
const EXAMPLE = [`export const fires = () => '${'x'.repeat(100)}';`];

/** One rule that holds, and one that does not. */
function verified(): VerifyReport {
  const seen = (predicted: Seen['predicted'], bytes: number | null = null): Seen => ({
    ...{ predicted, bytes, fired: true, confirmed: true, losses: '', evidence: 'tag o' },
  });
  const rule: VerifyResult = {
    ...{ runtime: 'node@24.0.0', engine: 'v8', rule: 'v8/date', inScope: true, holds: true, why: '' },
    ...{ fires: seen('fast-object'), nearMiss: seen('one-byte-string', 5) },
  };
  const broken = { ...rule, rule: 'v8/set', holds: false, why: 'the engine disagrees' };
  const object = { runtime: 'node@24.0.0', channel: 'worker', why: '', class: 'Blob' } as const;
  return {
    ...{ schema: VERIFY_SCHEMA, holds: false, results: [rule, broken, { ...rule, inScope: false }] },
    objects: [{ ...object, told: ['cloned'], seen: ['cloned'], holds: true }],
  };
}

/** What commands print without a document around it. */
const PRINTED: [name: string, nodes: Body, options?: Partial<RenderOptions>][] = [
  ['runtimes.old', runtimeNodes([here('1.4.5'), here('1.0.0', { needs: '1.0.36' })])],
  ['runtimes.wide', runtimeNodes(LONG), { columns: Number.POSITIVE_INFINITY }],
  ['runtimes.narrow', runtimeNodes(LONG), { columns: 40 }],
  ['explain.example', meaningNodes([{ word: 'w', kind: 'rule, slow', text: 'T.', example: EXAMPLE }])],
  ['verify', verifyNodes(verified()), { unicode: false }],
];

for (const [name, nodes, options] of PRINTED)
  test(`${name} on a terminal`, () =>
    assertSameAsFile(`expected/terminal/${name}.txt`, terminalNodes(nodes, { ...PLAIN, ...options })));

for (const [name, content] of Object.entries(pictures())) {
  test(`docs/pictures/${name} is what the reporters draw; \`npm run docs\` writes it`, () => {
    assert.equal(XMLValidator.validate(content), true);
    assert.equal(readFileSync(new URL(`../../docs/pictures/${name}`, import.meta.url), 'utf8'), content);
  });
}
