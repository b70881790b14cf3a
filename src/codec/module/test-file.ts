/** Tests of codecs: how they read their sample, and what they compare. */
import { inLanguage, literal, type ModuleLanguage, propertyName } from '../code/javascript.ts';
import { commentLines, compiledName, MARKER } from './module.ts';

export type TestRunner = 'node' | 'vitest' | 'jest' | 'bun';

/** Source of the sample in a test. Files are relative to the test. */
export type SampleSource =
  | { form: 'json' | 'text' | 'bytes'; file: string }
  | { form: 'ndjson'; file: string; line: number }
  | { form: 'module'; file: string; export: string };

export interface TestFacts {
  version: string;
  codec: string;
  exports: readonly string[];
  isAwaited?: boolean;
  sample: SampleSource;
  runner: TestRunner;
  language: ModuleLanguage;
}

type Equal = (actual: string, expected: string) => string;

const strictEqual: Equal = (actual, expected) => `expect(${actual}).toStrictEqual(${expected});`;

const RUNNERS: Readonly<Record<TestRunner, { imports?: string; equal: Equal }>> = {
  node: {
    imports: "import { test } from 'node:test';",
    equal: (actual, expected) => `assert.deepEqual(${actual}, ${expected});`,
  },
  vitest: { imports: "import { expect, test } from 'vitest';", equal: strictEqual },
  // jest's structuredClone makes objects of a different realm, which toStrictEqual treats as different.
  jest: { equal: (actual, expected) => `expect(${actual}).toEqual(${expected});` },
  bun: { imports: "import { expect, test } from 'bun:test';", equal: strictEqual },
};

/** Node.js uses file names unchanged; bundlers and compilers resolve `.js` to TypeScript, jest needs no extension. */
export function importSpecifier(file: string, { runner, language }: Pick<TestFacts, 'runner' | 'language'>) {
  const path = file.startsWith('.') ? file : `./${file}`;
  if (language !== 'typescript' || runner === 'node') return path;
  if (runner === 'jest') return path.replace(/\.[mc]?tsx?$/, '');
  return compiledName(path);
}

/**
 * Why the module of the sample is imported by a name that is no literal; null if it is not. CommonJS in jest has no
 * `import()`.
 */
function whyByName({ sample, language, runner }: TestFacts): string | null {
  if (sample.form !== 'module') return null;
  if (language === 'typescript' && !/\.[mc]?tsx?$/.test(sample.file))
    return 'Its name is no literal: a compiler would ask for its types.';
  const isRefused = language === 'commonjs' && runner !== 'jest' && /\.m[jt]s$/.test(sample.file);
  return isRefused ? 'An ES module, which require() does not always take.' : null;
}

const SAMPLE = 'const sample = async ()/*: Promise<Payload> */ =>';

/** The import may have any type, so the code checks for a function before it calls it. */
function exportLines(facts: TestFacts, file: string, name: string): string[] {
  const isTyped = facts.language === 'typescript';
  const why = whyByName(facts);
  const exported = isTyped || why !== null ? 'made' : 'exported';
  const value = `typeof ${exported} === 'function' ? ${exported}() : ${exported}`;
  const made = isTyped ? `(${value}) as Payload` : value;
  // A clone in jest would consist of objects of a different realm, which do not count as plain objects.
  const isCloned = facts.runner !== 'jest';
  const fresh = isCloned ? `structuredClone(await (${value}))` : made;
  const told = isCloned ? ['// As it arrives: without classes, getters and functions.'] : [];
  if (why === null)
    return [...(isTyped ? ['const made: unknown = exported;'] : []), ...told, `${SAMPLE} ${fresh};`];
  return [
    ...told,
    `// ${why}`,
    `const file/*: string */ = ${literal(importSpecifier(file, facts))};`,
    `${SAMPLE} {`,
    `  const { ${propertyName(name)}: made } = await import(file);`,
    `  return ${fresh};`,
    '};',
  ];
}

function sampleLines(facts: TestFacts): string[] {
  const { sample } = facts;
  if (sample.form === 'module') return exportLines(facts, sample.file, sample.export);
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

function importLines(facts: TestFacts): string[] {
  const { sample, runner, exports, language } = facts;
  const isFile = sample.form !== 'module';
  const names = [...exports, ...(language === 'typescript' ? ['type Payload'] : [])].sort();
  // Names that are not identifiers are written as strings.
  const importedName = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));
  const imported = (name: string) =>
    name === 'default' ? 'exported' : `{ ${importedName(name)} as exported }`;
  const own = (names: string, file: string) =>
    `import ${names} from ${literal(importSpecifier(file, facts))};`;
  return [
    runner === 'node' && "import assert from 'node:assert/strict';",
    isFile && "import { readFileSync } from 'node:fs';",
    isFile && isJoined(facts) && `import { ${runner === 'jest' ? 'dirname, ' : ''}join } from 'node:path';`,
    RUNNERS[runner].imports,
    sample.form === 'module' && whyByName(facts) === null && own(imported(sample.export), sample.file),
    own(`{ ${names.join(', ')} }`, facts.codec),
  ].filter((line) => typeof line === 'string');
}

/** Declares `arrives`, which passes a payload on in the same way as a post to a worker. */
function arrivesText({ exports, isAwaited }: TestFacts): string {
  const has = (name: string) => exports.includes(name);
  const clone = `structuredClone(message${has('transferList') ? ', { transfer: transferList(message) }' : ''})`;
  return `${has('toMessage') ? 'let misses = 0;\n' : ''}const arrives = (payload/*: Payload */)/*: ${isAwaited ? 'Promise<Payload>' : 'Payload'} */ => {
  const message = ${has('toMessage') ? 'toMessage(payload, () => misses++)' : 'payload'};
  return ${has('fromMessage') ? `fromMessage(${clone})` : clone};
};
`;
}

/** Lists in a view are read record by record. */
const viewTest = (equal: Equal) => `test('a view reads what was sent', async () => {
  const whole = (view/*: unknown */)/*: unknown */ => {
    if (typeof view !== 'object' || view === null) return view;
    if ('column' in view && Symbol.iterator in view) return [...(view/*as Iterable<unknown> */)];
    if (Object.getPrototypeOf(view) !== Object.prototype) return view;
    return Object.fromEntries(Object.entries(view).map(([key, value]) => [key, whole(value)]));
  };
  const expected = structuredClone(await sample());
  ${equal('whole(viewMessage(structuredClone(toMessage(await sample()))))', 'expected')}
});
`;

/** Declares `change`, which changes a value at one place by chance; false if it holds no object. */
const CHANGE = `/*type Inside = Record<string, unknown>; */
/** Each object and array in a value. */
function inside(value/*: unknown */, found/*: Inside[] */ = [])/*: Inside[] */ {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return found;
  found.push(value/*as Inside */);
  for (const one of Object.values(value)) inside(one, found);
  return found;
}

const CHANGES/*: ((at: Inside, key: string) => unknown)[] */ = [
  (at) => (Array.isArray(at) ? at.unshift(1) : Object.assign(at, { extra: 1 })),
  (at) => (Array.isArray(at) ? at.pop() : Object.assign(at, { extra: -0 })),
  (at, key) => delete at[key],
  (at, key) => (at[key] = null),
  (at, key) => (at[key] = undefined),
  (at, key) => (at[key] = 3.5),
  (at, key) => (at[key] = []),
  (at, key) => (at[key] = { 3.5: NaN }),
];

let seed = 1;
const random = (below/*: number */) => {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
};

function change(value/*: unknown */)/*: boolean */ {
  const objects = inside(value);
  const at = objects[random(objects.length)];
  if (at === undefined) return false;
  const keys = Object.keys(at);
  CHANGES[random(CHANGES.length)]?.(at, keys[random(keys.length)] ?? (Array.isArray(at) ? '0' : 'new'));
  return true;
}
`;

const changesTest = (arrives: string, equal: Equal) => `${CHANGE}
test('a payload that differs at one place arrives as it is', async () => {
  for (let round = 0; round < 120; round++) {
    const payload = await sample();
    if (!change(payload)) return;
    const expected = structuredClone(payload);
    ${equal(`${arrives}(payload)`, 'expected')}
  }
});
`;

function codecTests(facts: TestFacts, equal: Equal): string {
  const has = (name: string) => facts.exports.includes(name);
  const arrives = facts.isAwaited ? 'await arrives' : 'arrives';
  const sampleTest = `test('the sample arrives equal, in the form of the codec', async () => {
  const expected = structuredClone(await sample());
  ${equal(`${arrives}(await sample())`, 'expected')}
${has('toMessage') ? `  ${equal('misses', '0')}\n` : ''}});
`;
  const view = has('viewMessage') ? [viewTest(equal)] : [];
  return [arrivesText(facts), sampleTest, ...view, changesTest(arrives, equal)].join('\n');
}

/** A test that proves the sample, and payloads that differ from it at one place. */
export function codecTest(facts: TestFacts): string {
  const { equal } = RUNNERS[facts.runner];
  const isPatch = PATCH_ENDS.every((name) => facts.exports.includes(name));
  const imports = importLines(isPatch ? { ...facts, exports: PATCH_ENDS } : facts);
  const { runner, language } = facts;
  // A project for pages may not load these types; Bun supplies its own.
  const isTyped =
    language === 'typescript' && runner !== 'bun' && imports.some((one) => one.includes("'node:"));
  const needs = isTyped ? '. Its types: npm install -D @types/node' : '';
  const text = [
    ...commentLines(`${MARKER.slice(3)} test (${facts.version})${needs}`),
    ...(isTyped ? ['/// <reference types="node" />'] : []),
    ...imports,
    '',
    ...sampleLines(facts),
    isPatch ? patchTest(equal) : codecTests(facts, equal),
  ].join('\n');
  const written = inLanguage(text, language);
  return language === 'commonjs' && runner !== 'vitest' ? required(written) : written;
}

/** `import` in CommonJS syntax. vitest cannot be required; it accepts `import` in every file. */
const required = (text: string) =>
  text
    .replace(/^import assert from (.*);$/gm, 'const assert = require($1);')
    .replace(/^import exported from (.*);$/gm, 'const { default: exported } = require($1);')
    .replace(
      /^import (\{.*\}) from (.*);$/gm,
      (_, names: string, from: string) => `const ${names.replace(/ as /g, ': ')} = require(${from});`,
    );

const PATCH_ENDS = ['createReceiver', 'createSender'];

const patchTest = (equal: Equal) => `
${CHANGE}
test('each of many states arrives as it is, also after a lost message', async () => {
  let state = await sample();
  const sender = createSender();
  const receiver = createReceiver({ onMiss: () => sender.reset() });
  let misses = 0;
  for (let step = 0; step < 200; step++) {
    if (step % 20 === 0) state = await sample();
    if (!change(state)) return;
    const message = structuredClone(sender.toMessage(state));
    if (step % 20 === 10) continue; // lost
    const received = receiver.fromMessage(message);
    if (received === undefined) misses++;
    else ${equal('received', 'structuredClone(state)')}
  }
  ${equal('misses <= 10', 'true')}
});
`;
