/** Test runner of a codec's test; it determines the way to read the sample. */

import type { ModuleLanguage } from '../code/dialect.ts';
import { literal, propertyName } from '../code/javascript.ts';
import { compiledName } from './module.ts';

export type TestRunner = 'node' | 'vitest' | 'jest' | 'bun';

/** Source of the sample in a test. Files are relative to the test. */
export type SampleSource =
  | { form: 'json' | 'text' | 'bytes'; file: string }
  | { form: 'ndjson'; file: string; line: number }
  | ModuleSample;

interface ModuleSample {
  form: 'module';
  file: string;
  export: string;
}

export interface TestFacts {
  version: string;
  /** File of the codec, in the folder of the test. */
  codec: string;
  exports: readonly string[];
  /** Its `fromMessage` is asynchronous. */
  isAwaited?: boolean;
  sample: SampleSource;
  runner: TestRunner;
  language: ModuleLanguage;
}

const IMPORTS: Readonly<Record<TestRunner, string | null>> = {
  node: "import { test } from 'node:test';",
  vitest: "import { expect, test } from 'vitest';",
  jest: null,
  bun: "import { expect, test } from 'bun:test';",
};

/** Node.js uses file names unchanged; bundlers and compilers resolve `.js` to TypeScript, jest needs no extension. */
export function importSpecifier(
  file: string,
  { runner, language }: Pick<TestFacts, 'runner' | 'language'>,
): string {
  const path = file.startsWith('.') ? file : `./${file}`;
  if (language !== 'typescript' || runner === 'node') return path;
  if (runner === 'jest') return path.replace(/\.[mc]?tsx?$/, '');
  return compiledName(path);
}

/** True if declarations may be missing, as for JavaScript, which a strict compiler does not accept. */
const isUntyped = ({ sample, language }: TestFacts): boolean =>
  language === 'typescript' && sample.form === 'module' && !/\.[mc]?tsx?$/.test(sample.file);

const SAMPLE = 'const sample = async ()/*: Promise<Payload> */ =>';

/** The import may have any type, so the code checks for a function before it calls it. */
function exportLines(facts: TestFacts, { file, export: name }: ModuleSample): string[] {
  const isTyped = facts.language === 'typescript';
  const exported = isTyped ? 'made' : 'exported';
  const value = `typeof ${exported} === 'function' ? ${exported}() : ${exported}`;
  // A clone in jest would consist of objects of a different realm, which do not count as plain objects.
  const made = isTyped ? `(${value}) as Payload` : value;
  const fresh = facts.runner === 'jest' ? made : `structuredClone(await (${value}))`;
  if (!isUntyped(facts))
    return [...(isTyped ? ['const made: unknown = exported;'] : []), `${SAMPLE} ${fresh};`];
  return [
    '// Its name is no literal: a compiler would ask for its types.',
    `const file: string = ${literal(importSpecifier(file, facts))};`,
    `${SAMPLE} {`,
    `  const { ${propertyName(name)}: made } = await import(file);`,
    `  return ${fresh};`,
    '};',
  ];
}

/** Declares `sample()`, which returns a new sample at each call. */
export function sampleLines(facts: TestFacts): string[] {
  const { sample } = facts;
  if (sample.form === 'module') return exportLines(facts, sample);
  const read = (encoding: string) => `readFileSync(file${encoding})`;
  const text = read(", 'utf8'");
  const value = {
    json: `JSON.parse(${text})`,
    ndjson: `JSON.parse(${text}.split('\\n')[${sample.form === 'ndjson' ? sample.line - 1 : 0}]/*as string */)`,
    text,
    bytes: `new Uint8Array(${read('')})`,
  }[sample.form];
  const file = isJoined(facts)
    ? `join(${folderIn(facts)}, ${literal(sample.file)})`
    : `new URL(${literal(encodeURI(sample.file).replace(/[?#]/g, encodeURIComponent))}, import.meta.url)`;
  return [`const file = ${file};`, `${SAMPLE} ${value};`];
}

/** jest may compile any language to CommonJS, so neither `import.meta` nor `__dirname` always exists. */
const folderIn = ({ runner }: TestFacts): string =>
  runner === 'jest' ? 'dirname(expect.getState().testPath/*as string */)' : '__dirname';

const isJoined = ({ runner, language }: TestFacts) => runner === 'jest' || language === 'commonjs';

export function importLines(facts: TestFacts): string[] {
  const { sample, runner, exports, language } = facts;
  const isFile = sample.form !== 'module';
  const names = [...exports, ...(language === 'typescript' ? ['type Payload'] : [])].sort();
  const imported = (name: string) => (name === 'default' ? 'exported' : `{ ${importedName(name)} }`);
  const own = (names: string, file: string) =>
    `import ${names} from ${literal(importSpecifier(file, facts))};`;
  return [
    runner === 'node' && "import assert from 'node:assert/strict';",
    isFile && "import { readFileSync } from 'node:fs';",
    isFile && isJoined(facts) && `import { ${runner === 'jest' ? 'dirname, ' : ''}join } from 'node:path';`,
    IMPORTS[runner],
    sample.form === 'module' && !isUntyped(facts) && own(imported(sample.export), sample.file),
    own(`{ ${names.join(', ')} }`, facts.codec),
  ].filter((line) => typeof line === 'string');
}

/** Import names that are not identifiers, and `default`, are written as strings. */
const importedName = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${name} as exported` : `${literal(name)} as exported`;
