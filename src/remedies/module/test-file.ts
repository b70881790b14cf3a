import { literal } from '../code/javascript.ts';
import { commentLines, MARKER, type ModuleLanguage } from './module.ts';

export type TestRunner = 'node' | 'vitest' | 'jest' | 'bun';

/** Where the sample of a test comes from. Files are relative to the test. */
export type SampleSource =
  | { form: 'json' | 'text' | 'bytes'; file: string }
  | { form: 'ndjson'; file: string; line: number }
  | { form: 'module'; file: string; export: string };

export interface TestFacts {
  version: string;
  /** File of the codec, beside the test. */
  codec: string;
  /** Names that it exports. */
  exports: readonly string[];
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

/** Node.js takes file names as they are; bundlers and compilers know the TypeScript behind `.js`, jest without ending. */
function specifierOf(file: string, { runner, language }: TestFacts): string {
  const path = file.startsWith('.') ? file : `./${file}`;
  if (language !== 'typescript' || runner === 'node') return path;
  if (runner === 'jest') return path.replace(/\.[mc]?tsx?$/, '');
  return path.replace(/\.([mc]?)tsx?$/, '.$1js');
}

const annotate = ({ language }: TestFacts, type: string) => (language === 'typescript' ? `: ${type}` : '');

function sampleLines(facts: TestFacts): string[] {
  const { sample } = facts;
  if (sample.form === 'module') {
    const value = "typeof exported === 'function' ? exported() : exported";
    // In jest it would make objects of another realm, which are not plain ones there.
    const fresh = facts.runner === 'jest' ? value : `structuredClone(await (${value}))`;
    return [`const sample = async () => ${fresh};`];
  }
  const read = (encoding: string) => `readFileSync(file${encoding})`;
  const text = read(", 'utf8'");
  const value = {
    json: `JSON.parse(${text})`,
    ndjson: `JSON.parse(${text}.split('\\n')[${sample.form === 'ndjson' ? sample.line - 1 : 0}]${facts.language === 'typescript' ? '!' : ''})`,
    text,
    bytes: `new Uint8Array(${read('')})`,
  }[sample.form];
  const file = isJoined(facts)
    ? `join(${folderIn(facts)}, ${literal(sample.file)})`
    : `new URL(${literal(encodeURI(sample.file).replace(/[?#]/g, encodeURIComponent))}, import.meta.url)`;
  return [`const file = ${file};`, `const sample = async () => ${value};`];
}

/** jest compiles to CommonJS or not, whatever the language: neither `import.meta` nor `__dirname` is there in both. */
const folderIn = ({ runner, language }: TestFacts): string =>
  runner === 'jest'
    ? `dirname(expect.getState().testPath${language === 'typescript' ? '!' : ''})`
    : '__dirname';

const isJoined = ({ runner, language }: TestFacts) => runner === 'jest' || language === 'commonjs';

function importLines(facts: TestFacts): string[] {
  const { sample, runner, exports } = facts;
  const isFile = sample.form !== 'module';
  const names = [...exports].sort();
  const imports = [
    ...(runner === 'node' ? [['assert', 'node:assert/strict'] as const] : []),
    ...(isFile ? [['{ readFileSync }', 'node:fs'] as const] : []),
    ...(isFile && isJoined(facts)
      ? [[runner === 'jest' ? '{ dirname, join }' : '{ join }', 'node:path'] as const]
      : []),
  ].map(([what, from]) => `import ${what} from '${from}';`);
  const own = IMPORTS[runner];
  const exported =
    sample.form === 'module'
      ? [
          ...(facts.language === 'typescript' ? ['// @ts-ignore: it may have no types'] : []),
          sample.export === 'default'
            ? `import exported from ${literal(specifierOf(sample.file, facts))};`
            : `import { ${importedName(sample.export)} } from ${literal(specifierOf(sample.file, facts))};`,
        ]
      : [];
  return [
    ...imports,
    ...(own === null ? [] : [own]),
    ...exported,
    `import { ${names.join(', ')} } from ${literal(specifierOf(facts.codec, facts))};`,
  ];
}

/** `default` and odd names are strings in an import. */
const importedName = (name: string) =>
  /^[A-Za-z_$][\w$]*$/.test(name) ? `${name} as exported` : `${literal(name)} as exported`;

/** Sends a payload as a worker gets it. */
function arrivesLines(facts: TestFacts): string[] {
  const has = (name: string) => facts.exports.includes(name);
  const message = has('toMessage') ? 'toMessage(payload, () => misses++)' : 'payload';
  const clone = has('transferList')
    ? 'structuredClone(message, { transfer: transferList(message) })'
    : 'structuredClone(message)';
  return [
    'let misses = 0;',
    `const arrives = (payload${annotate(facts, 'any')})${annotate(facts, 'any')} => {`,
    `  const message = ${message};`,
    has('fromMessage') ? `  return fromMessage(${clone});` : `  return ${clone};`,
    '};',
  ];
}

const EQUAL: Readonly<Record<TestRunner, (actual: string, expected: string) => string>> = {
  node: (actual, expected) => `assert.deepEqual(${actual}, ${expected});`,
  vitest: (actual, expected) => `expect(${actual}).toStrictEqual(${expected});`,
  // structuredClone of jest's environment makes objects of another realm, which toStrictEqual tells apart.
  jest: (actual, expected) => `expect(${actual}).toEqual(${expected});`,
  bun: (actual, expected) => `expect(${actual}).toStrictEqual(${expected});`,
};

/** A test that proves the sample, and payloads that differ from it in one place. */
export function codecTest(facts: TestFacts): string {
  const any = annotate(facts, 'any');
  const list = annotate(facts, 'any[]');
  const equal = EQUAL[facts.runner];
  const text = [
    ...commentLines(`${MARKER.slice(3)} test (${facts.version})`),
    ...importLines(facts),
    '',
    ...sampleLines(facts),
    ...arrivesLines(facts),
    '',
    "test('the sample arrives equal, in the form of the codec', async () => {",
    `  const expected = structuredClone(await sample());`,
    `  ${equal('arrives(await sample())', 'expected')}`,
    `  ${equal('misses', '0')}`,
    '});',
    '',
    '/** Each object and array in a value that has something in it. */',
    `function inside(value${any}, found${list} = [])${list} {`,
    "  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return found;",
    '  if (Object.keys(value).length > 0) found.push(value);',
    '  for (const key of Object.keys(value)) inside(value[key], found);',
    '  return found;',
    '}',
    '',
    'const SEED = 1;',
    `const CHANGES${annotate(facts, 'Record<string, (at: any, key: string) => unknown>')} = {`,
    "  'an extra key': (at) => (Array.isArray(at) ? at.push(1) : Object.assign(at, { extra: 1 })),",
    "  'a missing field': (at, key) => delete at[key],",
    '  null: (at, key) => (at[key] = null),',
    '  undefined: (at, key) => (at[key] = undefined),',
    "  '3.5': (at, key) => (at[key] = 3.5),",
    "  'an empty list': (at, key) => (at[key] = []),",
    '};',
    '',
    'for (const [what, change] of Object.entries(CHANGES)) {',
    "  test(what + ': arrives as the payload itself would, seed ' + SEED, async () => {",
    '    let seed = SEED;',
    `    const random = (below${annotate(facts, 'number')}) => {`,
    '      seed = (seed * 48271) % 2147483647;',
    '      return seed % below;',
    '    };',
    '    for (let round = 0; round < 20; round++) {',
    `      const payload${any} = await sample();`,
    '      const objects = inside(payload);',
    '      if (objects.length === 0) return;',
    '      const at = objects[random(objects.length)];',
    '      const keys = Object.keys(at);',
    `      change(at, keys[random(keys.length)]${facts.language === 'typescript' ? '!' : ''});`,
    '      const expected = structuredClone(payload);',
    `      ${equal('arrives(payload)', 'expected')}`,
    '    }',
    '  });',
    '}',
    '',
  ].join('\n');
  return facts.language === 'commonjs' && facts.runner !== 'vitest' ? required(text) : text;
}

/** `import` as CommonJS writes it. vitest cannot be required; it takes `import` in every file. */
const required = (text: string) =>
  text
    .replace(/^import assert from (.*);$/gm, 'const assert = require($1);')
    .replace(/^import exported from (.*);$/gm, 'const { default: exported } = require($1);')
    .replace(
      /^import (\{.*\}) from (.*);$/gm,
      (_, names: string, from: string) => `const ${names.replace(/ as /g, ': ')} = require(${from});`,
    );
