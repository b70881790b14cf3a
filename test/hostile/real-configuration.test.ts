/** Files of the folder that a runtime reads by itself: for data none counts, for modules what counts is said. */
import { usually } from '../support/whole.ts';
import { type HostileCase, testHostileGuests } from './corpus.ts';

const EVIL =
  'globalThis.evil = 1; console.log("EVIL"); require("node:fs").writeFileSync("EVIL.ran", "EVIL");';
const PRELOAD = { 'bunfig.toml': 'preload = ["./evil.ts"]', 'evil.ts': EVIL };
/** Bun takes `paths` for every import, and for the file that it is started with. */
const PATHS = {
  'tsconfig.json': '{"compilerOptions":{"baseUrl":".","paths":{"*":["./evil.ts"]}}}',
  'evil.ts': EVIL,
};
const IMPORTS = {
  'deno.json': '{"imports":{"node:net":"./evil.mjs","node:process":"./evil.mjs","node:fs":"./evil.mjs"}}',
  'evil.mjs': 'console.log("EVIL"); export const connect = 1; export default 1;',
};
const DATA = { 'x.json': '{"a":1}', 'y.ndjson': '{"a":1}\n{"a":2}\n', 'z.txt': 'text', 'b.bin': 'bytes' };
const all = ['analyze', 'x.json', 'y.ndjson', 'z.txt', '--no-measure', '-r'];
const ENV_FILES = {
  ...{ '.env': 'FROM_ENV=seen', '.env.local': 'FROM_ENV=seen', '.env.development': 'FROM_ENV=seen' },
};
const SEES_NONE = `if (process.env.FROM_ENV || globalThis.evil) throw new Error('seen'); export const rows = [1];`;

const clean = { exit: 0, stderr: null, never: /EVIL/ } as const;
const kinds = usually(['bun@1.4.5'], ['bun@1.2.20']);

testHostileGuests('configuration', [
  ...kinds.flatMap((spec): HostileCase[] => [
    {
      name: `${spec}: preload of bunfig.toml and paths of tsconfig.json, for JSON, NDJSON and text`,
      files: { ...DATA, ...PRELOAD, ...PATHS },
      args: [...all, `<${spec}>`],
      needs: [spec],
      ...clean,
    },
    {
      name: `${spec}: preload of bunfig.toml and .env, for a module`,
      files: { 'm.mjs': SEES_NONE, ...PRELOAD, ...ENV_FILES },
      args: ['analyze', 'm.mjs', '--no-measure', '-f', 'json', '-r', `<${spec}>`],
      needs: [spec],
      ...clean,
    },
    {
      name: `${spec}: paths of tsconfig.json above it`,
      isRepeated: true,
      files: { 'a/x.json': '[1]', ...PATHS },
      cwd: 'a',
      args: ['analyze', 'x.json', '--no-measure', '-r', `<${spec}>`],
      needs: [spec],
      ...clean,
    },
  ]),
  {
    name: 'preload of bunfig.toml, for bytes, measured',
    isRepeated: true,
    files: { ...DATA, ...PRELOAD },
    args: ['analyze', 'b.bin', '--as', 'bytes', '-b', '50ms', '-r', '<bun@1.4.5>'],
    needs: ['bun@1.4.5'],
    ...clean,
  },
  {
    name: 'preload of bunfig.toml, in a sweep',
    isRepeated: true,
    files: { ...DATA, ...PRELOAD },
    args: ['sweep', 'x.json', '--steps', '2', '-b', '50ms', '-r', '<bun@1.4.5>'],
    needs: ['bun@1.4.5'],
    exit: 0,
    stderr: [],
    mostLines: 2,
    never: /EVIL/,
  },
  // That data has a guest of its own shows the same.
  ...(['deno@2.9.6', 'deno@2.5.6'] as const).map(
    (spec): HostileCase => ({
      name: `${spec}: an import map that replaces built-in modules, for data`,
      isRepeated: true,
      files: { ...DATA, ...IMPORTS },
      args: [...all, `<${spec}>`],
      needs: [spec],
      ...clean,
    }),
  ),
  {
    name: 'deno: an import map that breaks the guest of a module: the data has a guest of its own',
    files: { ...DATA, ...IMPORTS, 'm.mjs': 'export const rows = [1]' },
    args: ['analyze', 'x.json', 'm.mjs', 'z.txt', '--no-measure', '-r', '<deno@2.9.6>', '--timeout', '2s'],
    needs: ['deno@2.9.6'],
    exit: 3,
    stderr: /^note: modules on deno@2\.9\.6 are resolved by .*deno\.json$/,
    mostLines: 3,
    stdout: /x\.json ·[\s\S]*written out[\s\S]*z\.txt ·[\s\S]*copied in memory/,
  },
  {
    name: 'deno: an import map, for a module, is named',
    files: {
      'deno.json': '{"imports":{"#mapped":"./mapped.mjs"}}',
      'mapped.mjs': 'export const rows = [1]',
      'm.mjs': 'export { rows } from "#mapped"',
    },
    args: ['analyze', 'm.mjs', '--no-measure', '-r', '<deno@2.9.6>'],
    needs: ['deno@2.9.6'],
    exit: 0,
    stderr: /^note: modules on deno@2\.9\.6 are resolved by .*deno\.json$/,
  },
  {
    name: 'deno: a deno.json above the root of the repository, and .env, for a module',
    files: {
      ...IMPORTS,
      'a/.git/HEAD': 'ref: x',
      'a/m.mjs': SEES_NONE,
      ...Object.fromEntries(Object.entries(ENV_FILES).map(([name, text]) => [`a/${name}`, text])),
    },
    cwd: 'a',
    args: ['analyze', 'm.mjs', '--no-measure', '-r', '<deno@2.9.6>'],
    needs: ['deno@2.9.6'],
    ...clean,
  },
  {
    name: 'node: a module sees no .env',
    files: { 'm.mjs': SEES_NONE, ...ENV_FILES },
    args: ['analyze', 'm.mjs', '--no-measure', '-r', 'node'],
    ...clean,
  },
  {
    name: 'node: a profiler in node_modules of the working folder, and files that other tools read, for data',
    files: {
      ...DATA,
      'node_modules/v8-profiler-next/package.json': '{"name":"v8-profiler-next","main":"i.js"}',
      'node_modules/v8-profiler-next/i.js': EVIL,
      ...PRELOAD,
      ...PATHS,
      ...IMPORTS,
      'node.config.json': '{"nodeOptions":{"import":["./evil.mjs"]}}',
      '.npmrc': 'node-options=--import ./evil.mjs',
      'package.json': '{"imports":{"#x":"./evil.mjs"},"type":"module"}',
    },
    args: ['analyze', 'x.json', '-b', '50ms', '-r', 'node', '--profile', 'p'],
    ...clean,
  },
]);
