import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ESLint as Linter } from 'eslint';
import { helpersModule } from '../../../src/codec/module/module.ts';
import { REMEDIES, type RemedyName } from '../../../src/codec/remedies/index.ts';
import type { RatioEstimate } from '../../../src/model/documents/measurement.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Remedy } from '../../../src/model/rules/remedy.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { usually } from '../../support/whole.ts';
import { CASES } from '../cases/index.ts';
import { emitted, emittedTests, FACTS, factsOf, sampleText, shapeOf, viewedText } from './emitted.ts';
import { strictErrors } from './strict.ts';

const folder = tempFolder('codecs');

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Reviewed; UPDATE=1 writes them. */
const FROZEN = [
  ['fixtures/orders.json', 'orders.codec.txt', 190],
  ['fixtures/catalog.json', 'catalog.codec.txt', 240],
] as const;

for (const [file, frozen, most] of FROZEN)
  test(`the codec of ${file} matches the reviewed text, with at most ${most} own lines`, () => {
    const value = JSON.parse(sampleText(file)) as unknown;
    const id = file.replace(/^.*\/|\.json$/g, '');
    const [plan] = REMEDIES.compiled.plans(shapeOf(value), factsOf(value, id));
    const text = emitted(REMEDIES.compiled, plan!, value, { source: file });
    if (process.env.UPDATE) writeFileSync(here(frozen), text);
    assert.equal(text, readFileSync(here(frozen), 'utf8'));
    const own = text.slice(0, text.indexOf('\n// From here on it is the same in all codecs.'));
    assert.ok(own.split('\n').length <= most, `${own.split('\n').length} lines`);
  });

test('the head says what was measured, and gives the size of the gain only if it is known', () => {
  const value = JSON.parse(sampleText(FROZEN[0][0])) as unknown;
  const [plan] = REMEDIES.compiled.plans(shapeOf(value), factsOf(value, 'orders'));
  const [inJson] = REMEDIES.compiled.plans(shapeOf(value), { ...factsOf(value), channel: 'ipc-json' });
  const text = emitted(REMEDIES.compiled, inJson!, value).replaceAll('\n// ', ' ');
  assert.match(text, /What does not fit is JSON in its place/);
  const rows: [gain: RatioEstimate, head: RegExp][] = [
    [{ ratio: 0.25, ci: [0.24, 0.26] }, /: 0\.25 of the time \(0\.24-0\.26\), node/],
    [
      { ratio: 0.1, ci: [0.02, 0.7], samples: 3, processes: 2 },
      /: at most 0\.7 of the time \(too few samples: 3\), node/,
    ],
  ];
  for (const [gain, head] of rows)
    assert.match(emitted(REMEDIES.compiled, plan!, value, { gain }).replaceAll('\n// ', ' '), head);
});

/** What the tests import beside Node.js and their module. */
const AROUND = {
  'typed.ts': 'export const rows = async () => [1];\nexport default { a: 1 };\n',
  'runners.d.ts': ['vitest', 'bun:test']
    .map(
      (name) => `declare module '${name}' { export const test: Function; export const expect: Function; }\n`,
    )
    .join(''),
  'jest.d.ts':
    'declare const test: Function;\ndeclare const expect: Function & { getState(): { testPath?: string } };\n',
};

// Codecs of samples that a TypeScript file exports: `Payload` is the type that the file gives them.
const TRADES = `
export interface Trade {
  readonly id: number;
  currency: 'EUR' | 'USD';
  side: Side;
  note?: string;
  tags: readonly string[];
  at: Date;
}
enum Side { buy = 'buy', sell = 'sell' }
declare const brand: unique symbol;
export type Isin = string & { [brand]: true };
const trade = (): Trade => ({ id: 1, currency: 'EUR', side: Side.buy, tags: ['a'], at: new Date(0) });
export const trades: Trade[] = [trade()];
export const frozen: readonly Trade[] = trades;
export const constant = [{ id: 1, currency: 'EUR' }] as const;
export const made = (count = 3): Trade[] => Array.from({ length: count }, trade);
export const late = async (): Promise<Map<Isin, Trade>> => new Map([['a' as Isin, trade()]]);
export const pending: Promise<Trade> = late().then(() => trade());
const odd: { text?: string; id: number } = { text: '', id: 1 };
export { odd as 'odd name' };
export default { bytes: new Uint8Array(1), list: trades };
`;

const made = { id: 1, currency: 'EUR', side: 'buy', tags: ['a'], at: new Date(0) };
const list = [made, { ...made, note: 'b' }];

/** Export, its value, a remedy, and an assignment that must compile. */
const EXPORTS: [name: string, value: unknown, remedy: RemedyName, held: string][] = [
  ['trades', list, 'compiled', "'EUR' | 'USD' = payload[0]!.currency"],
  ['frozen', list, 'compiled', 'readonly Trade[] = payload'],
  ['constant', [{ id: 1, currency: 'EUR' }], 'compiled', "'EUR' = payload[0].currency"],
  ['made', list, 'compiled', 'Trade[] = payload'],
  ['late', new Map([['a', made]]), 'compiled', 'Map<Isin, Trade> = payload'],
  ['late', new Map([['a', made]]), 'plain', 'Map<Isin, Trade> = payload'],
  ['pending', made, 'compiled', 'Trade = payload'],
  ['odd name', { text: 'a', id: 1 }, 'compiled', 'string | undefined = payload.text'],
  ['default', { bytes: new Uint8Array(1), list }, 'compiled', 'Trade[] = payload.list'],
];

/** A file of exports with each ending, and codecs of it whose payloads are used as the types that it exports. */
function exportedTypes(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [at, [name, value, remedy, held]] of EXPORTS.entries()) {
    const file = ['trades.ts', 'm.mts', 'x.tsx'][at % 3]!;
    files[file] = TRADES;
    const [plan] = REMEDIES[remedy].plans(shapeOf(value), factsOf(value, 'trades'));
    const text = emitted(REMEDIES[remedy], plan!, value, { exported: { file, export: name } });
    const typed = held.replace(/Trade|Isin/g, `import('./${file.replace(/tsx?$/, 'js')}').$&`);
    files[`exported-${at}.ts`] =
      `${text}export function hold(payload: Payload): unknown { const held: ${typed}; return held; }\n`;
  }
  return files;
}

/** Their samples tell nothing about what they hold. */
const IS_EMPTY = /^empty|^no list/;

test('emitted modules and their tests compile under strict', async () => {
  const files: Record<string, string> = { ...AROUND, ...exportedTypes() };
  const seen = new Set<string>();
  let count = 0;
  for (const [name, cases] of Object.entries(CASES)) {
    const remedy: Remedy = REMEDIES[name as keyof typeof REMEDIES];
    for (const [what, make, plan, outcome] of cases) {
      if (outcome === 'refused' || IS_EMPTY.test(what) || what === 'huge') continue;
      const value = make();
      const shape = shapeOf(value);
      const plans: Plan[] = [true, false].flatMap((assumeIntegers) =>
        remedy.plans(shape, { ...FACTS, assumeIntegers }),
      );
      for (const one of [plan, ...plans]) {
        const text = emitted(remedy, one, value);
        if (seen.has(text)) continue;
        seen.add(text);
        const file = `${name}-${count++}.ts`;
        files[file] = `${text}// ${what}\n`;
        // Each in its folder has what it calls beside it.
        if (remedy.codec(one).own)
          files[`shared-${file}`] = emitted(remedy, one, value, { helpers: './codec-helpers.js' });
        for (const [at, tests] of cases[0]![1] === make ? emittedTests(file, text).entries() : [])
          files[file.replace('.ts', `.${at}.test.ts`)] = tests;
      }
    }
  }
  files['codec-helpers.ts'] = helpersModule('0.1.0', 'typescript');
  const view = viewedText([{ id: 1, total: 2.5, at: new Date(0) }]);
  files['viewed.ts'] = view;
  files['viewed.test.ts'] = emittedTests('viewed.ts', view)[0]!;
  assert.match(files['viewed.test.ts'], /viewMessage/);
  assert.equal(await strictErrors(join(folder, 'strict'), files), '');
  assert.ok(count > 100);
});

test('codecs that share a module of helpers bring what is sent, side by side', async () => {
  for (const [language, ending] of [
    ['javascript', 'mjs'],
    ['commonjs', 'cjs'],
  ] as const) {
    const helpers = `./codec-helpers.${ending}`;
    writeFileSync(join(folder, helpers), helpersModule('0.1.0', language));
    const samples = [{ rows: [{ id: 1, tags: ['a', 'b'] }] }, new Map([['x', [1.5, null, 2n, new Date(0)]]])];
    for (const [at, value] of samples.entries()) {
      const [plan] = REMEDIES.compiled.plans(shapeOf(value), factsOf(value));
      const text = emitted(REMEDIES.compiled, plan!, value, { language, helpers });
      assert.ok(text.split('\n').length < 80, text);
      writeFileSync(join(folder, `shared-${at}.${ending}`), text);
    }
    const codecs = await Promise.all(
      samples.map((_, at) => import(pathToFileURL(join(folder, `shared-${at}.${ending}`)).href)),
    );
    const messages = samples.map((value, at) => structuredClone(codecs[at].toMessage(value)));
    for (const [at, value] of samples.entries()) {
      assert.ok(!('asIs' in messages[at]));
      assert.deepEqual(codecs[at].fromMessage(messages[at]), value);
      assert.throws(() => codecs[at].fromMessage(messages[1 - at]), /^TypeError: codec .* cannot read/);
    }
  }
});

// What is emitted passes the rules that most TypeScript projects have: nobody wants to exclude a file of their own.

const require = createRequire(import.meta.url);
// The parser of typescript-eslint calls the compiler in this process, which TypeScript 7 cannot.
require('typescript-with-api');
require.cache[require.resolve('typescript')] = require.cache[require.resolve('typescript-with-api')];
const { ESLint } = require('eslint') as { ESLint: typeof Linter };
const { configs } = require('typescript-eslint') as {
  configs: { recommended: Linter.Options['baseConfig'] };
};

const eslint = new ESLint({ overrideConfigFile: true, baseConfig: configs.recommended ?? [] });

async function complaints(text: string, filePath: string): Promise<string[]> {
  const [result] = await eslint.lintText(text, { filePath });
  return (result?.messages ?? []).map(
    ({ line, ruleId, message }) => `${filePath}:${line} ${ruleId} ${message}\n${text.split('\n')[line - 1]}`,
  );
}

/** Modules of each remedy, the longest: more of them are made of the same pieces. */
const MAX_MODULES = usually([1], [3]).at(-1)!;

function modulesOf(remedy: Remedy, name: keyof typeof CASES): string[] {
  const cases = CASES[name].filter(([what, , , outcome]) => outcome !== 'refused' && what !== 'huge');
  const made = cases.flatMap(([, make, plan]) => {
    const value = make();
    const plans: Plan[] = remedy.plans(shapeOf(value), factsOf(value));
    return [plan, ...plans].map((one) => emitted(remedy, one, value));
  });
  return [...new Set(made)].sort((a, b) => b.length - a.length).slice(0, MAX_MODULES);
}

for (const [name, remedy] of Object.entries(REMEDIES))
  test(`modules of ${name} pass typescript-eslint`, async () => {
    const modules = modulesOf(remedy, name as keyof typeof CASES);
    const said = await Promise.all(modules.map((text) => complaints(text, `${name}.ts`)));
    assert.deepEqual(said.flat(), []);
  });

test('modules in JavaScript, of exports and with views pass, and tests of each form', async () => {
  const table = [{ id: 1, total: 2.5 }];
  const [plan] = REMEDIES.compiled.plans(shapeOf(table), factsOf(table));
  const exported = { file: 'orders.ts', export: 'default' };
  const module = emitted(REMEDIES.compiled, plan!, table, { language: 'javascript' });
  const view = viewedText(table);
  const list =
    'export function transferList(message: ArrayBuffer): ArrayBuffer[] {\n  return [message];\n}\n';
  // Further exports change the same lines of each form: one of five has each runner and nearly each sample.
  const further = [list, view].flatMap((text) => emittedTests('a.codec.ts', text));
  const said = await Promise.all([
    complaints(module, 'a.codec.mjs'),
    ...[view, emitted(REMEDIES.compiled, plan!, table, { exported })].map((text) =>
      complaints(text, 'a.codec.ts'),
    ),
    ...[...emittedTests('a.codec.ts', module), ...further.filter((_, at) => at % 5 === 0)].map((text) =>
      complaints(text, 'a.codec.test.ts'),
    ),
  ]);
  assert.deepEqual(said.flat(), []);
});
