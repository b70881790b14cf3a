/** What strict compilers say about emitted files. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const STRICT = {
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  jsx: 'preserve',
  target: 'es2022',
  lib: ['ES2023', 'DOM'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  typeRoots: [here('../../../node_modules/@types')],
};

/** @param project a folder that is not there yet */
export async function strictErrors(
  project: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  mkdirSync(project);
  const config = { compilerOptions: STRICT, include: ['*'] };
  for (const [file, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) }))
    writeFileSync(join(project, file), text);
  const tsc = here('../../../node_modules/typescript/bin/tsc');
  return promisify(execFile)(process.execPath, [tsc, '-p', project, '--singleThreaded']).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}
