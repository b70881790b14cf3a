/** What is emitted passes the rules that most TypeScript projects have: nobody wants to exclude a file of their own. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { ESLint as Linter } from 'eslint';
import { REMEDIES } from '../../../src/codec/remedies/index.ts';
import type { Plan } from '../../../src/model/documents/trial.ts';
import type { Remedy } from '../../../src/model/rules/remedy.ts';
import { usually } from '../../support/whole.ts';
import { CASES } from '../cases/index.ts';
import { emitted, emittedTests, factsOf, shapeOf, viewedText } from './emitted.ts';

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
