/** Faults that somebody could plant, each with the tool that must see it: tables of `[file, text]`. */

export type Fault = [file: string, text: string];

/** The import graph: `.dependency-cruiser.mjs`. What is imported exists; entries lead to every file. */
export const WRONG_IMPORTS: [rule: RegExp, file: string, text: string][] = [
  [/arrows of core\/stats/, 'core/stats/a.ts', "import type { A } from '../../cli/actions/a.ts';"],
  [/arrows of core\/stats/, 'core/stats/a.ts', "export {\n  a,\n} from '../gate/a.ts';"],
  [/arrows of core$/, 'core/value/a.ts', "export * from '../stats/a.ts';"],
  [/arrows of model/, 'model/rules/a.ts', "import type { A } from '../../core/value/a.ts';"],
  [/arrows of engines/, 'engines/v8/a.ts', "import { a } from '../../core/value/a.ts';"],
  [/arrows of remedies/, 'remedies/a.ts', "import { a } from '../engines/v8/a.ts';"],
  [/arrows of tap\/bun/, 'tap/bun/a.ts', "import { a } from '../deno/a.ts';"],
  [/arrows of tap\/page/, 'tap/page/a.ts', "import { a } from '../node/a.ts';"],
  [/arrows of tap\/channels/, 'tap/channels/a.ts', "import { a } from '../node/a.ts';"],
  [/arrows of tap\/node/, 'tap/node/a.ts', "import { a } from '../../guest/platform/a.ts';"],
  [/arrows of guest\/prove/, 'guest/prove/a.ts', "import { a } from '../../runtimes/process/a.ts';"],
  [/arrows of runtimes/, 'runtimes/process/a.ts', "import { a } from '../../guest/platform/a.ts';"],
  [/arrows of runtimes/, 'runtimes/process/a.ts', "const a = await import('../../sources/a.ts');"],
  [/arrows of app/, 'app/a.ts', "import { a } from '../runtimes/process/a.ts';"],
  [/arrows of reporters/, 'reporters/html/a.ts', "import { a } from '../terminal/a.ts';"],
  [/arrows of reporters/, 'reporters/section/a.ts', "import { a } from '../html/a.ts';"],
  [/arrows of store/, 'store/a.ts', "import { a } from '../cli/actions/a.ts';"],
  [/arrows of cli/, 'cli/actions/a.ts', "import { a } from '../../runtimes/process/a.ts';"],
  [/into a room/, 'cli/actions/a.ts', "import { a } from '../../attic/a.ts';"],
  [/a room of its own/, 'attic/a.ts', "import { a } from '../model/rules/a.ts';"],
  [/unlisted package/, 'app/a.ts', "const a = await import('left-pad');"],
  [/package commander/, 'app/a.ts', "import { Command } from 'commander';"],
  [/package zod/, 'core/value/a.ts', "import { z } from 'zod';"],
  [/package chalk/, 'reporters/markdown/a.ts', "import chalk from 'chalk';"],
  [/no Node/, 'core/value/a.ts', "import type { Stats } from 'node:fs';"],
  [/no Node/, 'app/a.ts', "import { readFileSync } from 'node:fs';"],
  [/no Node/, 'app/a.ts', "export const a = async () => (await import('fs')).readFileSync('/etc/hostname');"],
  [/no Node/, 'reporters/terminal/a.ts', "import { writeFileSync } from 'node:fs';"],
  [/no Node/, 'guest/prove/a.ts', "import { join } from 'node:path';"],
  [/no Node/, 'tap/records/a.ts', "import { types } from 'node:util';"],
  [/Bun of its own/, 'guest/prove/a.ts', "import { serialize } from 'bun:jsc';"],
  [/circle of files/, 'app/a.ts', "import type { B } from './b.ts';"],
  [/circle of folders/, 'core/value/a.ts', "import { c } from '../value/deep/c.ts';"],
  [/unreached file/, 'app/forgotten.ts', 'export const a = 1;'],
];

/** What stands beside them. */
export const AROUND: Fault[] = [
  ...[
    'core/stats',
    'core/gate',
    'core/value',
    'model/rules',
    'engines/v8',
    'cli/actions',
    'tap/deno',
    'tap/node',
  ],
  ...['guest/platform', 'runtimes/process', 'sources', 'reporters/terminal', 'reporters/html', 'attic'],
].map((room): Fault => [`${room}/a.ts`, 'export const a = 1;\nexport type A = 1;']);
AROUND.push(
  ['app/b.ts', "import { a } from './a.ts';\nexport const b = a;\nexport type B = 1;"],
  ['core/value/deep/c.ts', "import { d } from '../../value/other/d.ts';\nexport const c = d;"],
  ['core/value/other/d.ts', "import { e } from '../deep/e.ts';\nexport const d = e;"],
  ['core/value/deep/e.ts', 'export const e = 1;'],
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
  ['cli/a.ts', `export function a(b: number) {\n${'  b += 1;\n'.repeat(150)}  return b;\n}`],
  ['cli/a.ts', '// line\n'.repeat(201)],
];

/** What a rule must not take for a fault. */
export const RIGHT_CODE: Fault[] = [
  ['core/stats/a.ts', "// Date.now()\nexport const TITLE = 'Math.random()';"],
  ['core/stats/a.ts', 'export const a = (b: { Date: number }) => b.Date + Math.max(1, Math.floor(2));'],
  ['cli/a.ts', 'export const a = (b: number[]) => b.map(String).concat(`${process.pid} ${Date.now()}`);'],
  ['guest/platform/a.ts', 'export const a = () => process.cwd();'],
];
