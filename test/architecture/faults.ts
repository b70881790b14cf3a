/** Faults that somebody could plant, each with the tool that must see it: tables of `[file, text]`. */

export type Fault = [file: string, text: string];

/** Imports against the plan: the rule that sees each, the room it stands in (or the file), and its text. */
export const WRONG_IMPORTS: [rule: string, place: string, text: string][] = [
  ['arrows of core/stats', 'core/stats', "import type { A } from '../../cli/actions/a.ts';"],
  ['arrows of core/stats', 'core/stats', "export {\n  a,\n} from '../gate/a.ts';"],
  ['arrows of core', 'core/value', "export * from '../stats/a.ts';"],
  ['arrows of model', 'model/rules', "import type { A } from '../../core/value/a.ts';"],
  ['arrows of engines', 'engines/v8', "import { a } from '../../core/value/a.ts';"],
  ['arrows of remedies', 'remedies', "import { a } from '../engines/v8/a.ts';"],
  ['arrows of tap/bun', 'tap/bun', "import { a } from '../deno/a.ts';"],
  ['arrows of tap/page', 'tap/page', "import { a } from '../node/a.ts';"],
  ['arrows of tap/channels', 'tap/channels', "import { a } from '../node/a.ts';"],
  ['arrows of tap/node', 'tap/node', "import { a } from '../../guest/platform/a.ts';"],
  ['arrows of guest/prove', 'guest/prove', "import { a } from '../../runtimes/process/a.ts';"],
  ['arrows of runtimes', 'runtimes/process', "import { a } from '../../guest/platform/a.ts';"],
  ['arrows of runtimes', 'runtimes/process', "const a = await import('../../sources/a.ts');"],
  ['arrows of app', 'app', "import { a } from '../runtimes/process/a.ts';"],
  ['arrows of reporters/html', 'reporters/html', "import { a } from '../terminal/a.ts';"],
  ['arrows of reporters/section', 'reporters/section', "import { a } from '../html/a.ts';"],
  ['arrows of store', 'store', "import { a } from '../cli/actions/a.ts';"],
  ['arrows of cli', 'cli/actions', "import { a } from '../../runtimes/process/a.ts';"],
  ['into a room', 'cli/actions', "import { a } from '../../attic/a.ts';"],
  ['a room of its own', 'attic/a.ts', "import { a } from '../model/rules/a.ts';"],
  ['unlisted package', 'app', "const a = await import('left-pad');"],
  ['package commander', 'app', "import { Command } from 'commander';"],
  ['package zod', 'core/value', "import { z } from 'zod';"],
  ['package chalk', 'reporters/markdown', "import chalk from 'chalk';"],
  ['no Node.js', 'core/value', "import type { Stats } from 'node:fs';"],
  ['no Node.js', 'app', "import { readFileSync } from 'node:fs';"],
  ['no Node.js', 'app', "export const a = async () => (await import('fs')).readFileSync('/etc/hostname');"],
  ['no Node.js', 'reporters/terminal', "import { writeFileSync } from 'node:fs';"],
  ['no Node.js', 'guest/prove', "import { join } from 'node:path';"],
  ['no Node.js', 'tap/records', "import { types } from 'node:util';"],
  ['Bun of its own', 'guest/prove', "import { serialize } from 'bun:jsc';"],
  ['circle of files', 'app/one.ts', "import type { B } from './two.ts';"],
  ['circle of folders', 'core/copy/deep/a.ts', "import { a } from '../other/a.ts';"],
  ['unreached file', 'app', 'export const a = 1;'],
];

/** What stands beside them, and is right. */
export const RIGHT_IMPORTS: Fault[] = [
  ...[
    'core/stats',
    'core/gate',
    'core/value',
    'model/rules',

    'engines/v8',
    'cli/actions',
    'sources',
  ],
  ...['tap/deno', 'tap/node', 'guest/platform', 'runtimes/process', 'reporters/terminal', 'reporters/html'],
].map((room): Fault => [`${room}/a.ts`, 'export const a = 1;\nexport type A = 1;']);
RIGHT_IMPORTS.push(
  ['index.ts', "export { a } from './library/a.ts';"],
  ['library/a.ts', "export { a } from '../app/reached.ts';"],
  ['app/reached.ts', "export { a } from '../core/value/a.ts';"],
  ['app/two.ts', "import type { One } from './one.ts';\nexport type Two = One;"],
  ['core/copy/other/a.ts', "export { a } from '../deep/b.ts';"],
  ['core/copy/deep/b.ts', 'export const a = 1;'],
);

/** What a file itself has: `biome.json` and the rules of `scripts/lint`. */
export const WRONG_CODE: Fault[] = [
  ['core/stats/a.ts', 'export const a = () => Date.now();'],
  ['core/stats/a.ts', 'const { now } = Date;\nexport const a = now;'],
  ['core/stats/a.ts', 'export const a = new Date();'],
  ['core/stats/a.ts', "export const a = Reflect.get(globalThis, 'performance');"],
  ['core/stats/a.ts', 'export const a = performance.now();'],
  ['core/stats/a.ts', 'export const a = `id-${Math.random()}`;'],
  ['core/stats/a.ts', 'const { random } = Math;\nexport const a = random;'],
  ['core/stats/a.ts', "export const a = Math['random']();"],
  ['core/stats/a.ts', 'export const a = crypto.randomUUID();'],
  ['model/a.ts', 'export const a = process.env.HOME;'],
  ['remedies/a.ts', 'export const pick = () => Math.random();'],
  ['engines/v8/a.ts', 'export const rule = { when() {} };'],
  ['engines/v8/a.ts', 'export const rule = { when: () => true };'],
  ['engines/v8/a.ts', 'export const rule = {\n  get when() {\n    return true;\n  },\n};'],
  ['app/a.ts', 'export const a = process.env.HOME;'],
  ['app/a.ts', 'export const a = setTimeout(() => undefined, 10);'],
  ['reporters/terminal/a.ts', 'export const a = process.stdout.columns;'],
  ['reporters/html/a.ts', 'export const a = new Date().toISOString();'],
  ['guest/payload/a.ts', 'export const a = () => process.cwd();'],
  ['guest/prove/a.ts', "export const a = Buffer.from('a');"],
  ['probe/a.ts', 'export const a = (b: number[]) => b.map(String);'],
  ['core/describe/a.ts', 'export const a = (b?: number[]) => b?.filter(Boolean);'],
  ['core/compare/a.ts', 'export const a = (b: number[]) => Object.groupBy(b, String);'],
  ['core/value/a.ts', "import { aSchema } from '../../model/documents/a.ts';\nexport const b = aSchema;"],
  ['guest/prove/a.ts', "export * from '../../model/documents/a.ts';"],
  ['tap/realm/a.ts', "export const a = () => import('../../model/documents/a.ts');"],
  ['cli/a.ts', `export function a(b: number) {\n${'  b += 1;\n'.repeat(150)}  return b;\n}`],
  ['cli/a.ts', 'b();\n'.repeat(201)],
];

/** What a rule must not take for a fault. */
export const RIGHT_CODE: Fault[] = [
  ['core/stats/a.ts', "// Date.now()\nexport const TITLE = 'Math.random()';"],
  ['core/stats/a.ts', 'export const a = (b: { Date: number }) => b.Date + Math.max(1, Math.floor(2));'],
  ['cli/a.ts', 'export const a = (b: number[]) => b.map(String).concat(`${process.pid} ${Date.now()}`);'],
  ['guest/platform/a.ts', 'export const a = () => process.cwd();'],
  [
    'core/value/a.ts',
    "import type { A } from '../../model/documents/a.ts';\nexport type { B } from '../../model/documents/b.ts';\nexport type C = A;",
  ],
  ['store/a.ts', "import { aSchema } from '../model/documents/a.ts';\nexport const b = aSchema;"],
];
