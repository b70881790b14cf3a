/** Tools that post much, each with a small project, installed by npm into a folder of its own. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RecordedMessages } from '../../src/model/documents/recording.ts';
import { type Agreement, recordedApp, sumOf } from './recorded-app.ts';

export interface ToolApp {
  name: string;
  packages: readonly string[];
  files: Readonly<Record<string, string>>;
  command: readonly string[];
  normal(printed: string): string;
  /** How many requests follow from the project. */
  expected: { requests: number; of(groups: readonly RecordedMessages[]): number };
}

const numbered = (count: number, file: (i: number) => [string, string]): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => file(i)));

const requestsOf = (library: string) => (groups: readonly RecordedMessages[]) =>
  sumOf(
    groups.filter(({ envelope }) => envelope?.library === library && envelope.direction === 'request'),
    ({ count }) => count,
  );

const sortedLines = (printed: string) => printed.split('\n').sort().join('\n');
const SOURCE = Array.from(
  { length: 60 },
  (_, i) => `export const value${i} = "text ${i}".length + ${i};`,
).join('\n');

export const TOOLS: readonly ToolApp[] = [
  {
    name: 'vitest',
    packages: ['vitest@3.2'],
    files: numbered(6, (i) => [
      `test/sum${i}.test.js`,
      `import { expect, test } from 'vitest';\ntest('adds ${i}', () => expect(${i} + 1).toBe(${i + 1}));\n`,
    ]),
    command: ['npx', 'vitest', 'run', '--pool=threads', '--no-color'],
    normal: (printed) => sortedLines(printed.replace(/\d+(\.\d+)?m?s\b|\d\d:\d\d:\d\d/g, '<time>')),
    // One of each file, and one that ends each worker, which gets one message when it starts.
    expected: {
      requests: 6,
      of: (groups) =>
        requestsOf('tinypool')(groups) -
        sumOf(
          groups.filter(({ api, site }) => api === 'Worker.postMessage' && site.library?.name === 'tinypool'),
          ({ count }) => count,
        ),
    },
  },
  {
    name: 'eslint',
    packages: ['eslint@9.39'],
    files: {
      'eslint.config.js': "export default [{ rules: { 'no-unused-vars': 'warn' } }];\n",
      ...numbered(40, (i) => [`src/file${i}.js`, `const unused = ${i};\n${SOURCE}\n`]),
    },
    command: ['npx', 'eslint', '--concurrency', '2', 'src'],
    normal: (printed) => printed,
    // One reply of each of its two workers.
    expected: {
      requests: 2,
      of: (groups) =>
        sumOf(
          groups.filter(({ api }) => api === 'parentPort.postMessage'),
          ({ count }) => count,
        ),
    },
  },
  {
    name: 'terser',
    packages: ['webpack@5', 'terser-webpack-plugin@5'],
    files: {
      'build.cjs': `const webpack = require('webpack');
const Terser = require('terser-webpack-plugin');
const entry = Object.fromEntries([0, 1, 2, 3, 4, 5].map((i) => ['entry' + i, './src/file' + i + '.js']));
const minimizer = [new Terser({ parallel: 2, extractComments: false })];
webpack({ mode: 'production', context: __dirname, entry, optimization: { minimizer } }, (error, stats) => {
  if (error) throw error;
  console.log(Object.keys(stats.compilation.assets).sort().join());
  process.exitCode = stats.hasErrors() ? 1 : 0;
});
`,
      ...numbered(6, (i) => [`src/file${i}.js`, `${SOURCE}\nconsole.log(value${i}, value1);\n`]),
    },
    command: ['node', 'build.cjs'],
    normal: (printed) => printed,
    expected: { requests: 6, of: requestsOf('jest-worker') },
  },
];

/** @returns why npm cannot install it; null where it did */
export function install({ packages, files }: ToolApp, folder: string): string | null {
  for (const [name, text] of Object.entries({
    'package.json': '{"private":true,"type":"module"}',
    ...files,
  })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
      cwd: folder,
      stdio: 'pipe',
    });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return stderr?.toString().trim().split('\n').slice(0, 2).join(' ') || message;
  }
}

/** @param folder where it is installed */
export async function checkTool(
  { name, command, normal, expected }: ToolApp,
  folder: string,
): Promise<Agreement> {
  const { messages, agreement } = await recordedApp({ name, command, cwd: folder, normal }, folder);
  assert.equal(expected.of(messages), expected.requests, `${name}: requests`);
  const bytes = sumOf(messages, (group) => group.bytes?.total ?? 0);
  assert.ok(bytes > 0, `${name}: no bytes`);
  return agreement;
}
