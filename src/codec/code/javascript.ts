/** Writers for pieces of JavaScript. Keys come from payloads, so each key is written by a function of this file. */

import { flatMap, map } from '../../value/read/lists.ts';

export const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** ASCII only, so that no key can put control or bidirectional characters into code that a user pastes. */
export function literal(value: string | number | boolean): string {
  const text = asciiJson(value);
  return /^"[^"'\\]*"$/.test(text) ? `'${text.slice(1, -1)}'` : text;
}

const NAME = /^[A-Za-z_$][\w$]*$/;

/** `.name` or `['odd key']`. */
export function member(key: string): string {
  return NAME.test(key) ? `.${key}` : `[${literal(key)}]`;
}

/** Key to the left of a colon in an object literal. `__proto__` there would set the prototype unless computed. */
export function propertyName(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return NAME.test(key) ? key : literal(key);
}

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

export const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/** A function with one parameter. A module declares it before the functions that it calls. */
export interface FunctionCode {
  calls?: readonly string[];
  takes: string;
  body: string;
}

export function declared(name: string, { takes, body }: FunctionCode, isAwaited = false): string {
  const [async, type] = isAwaited ? ['async ', '/*: Promise<unknown> */'] : ['', ''];
  return `${async}function ${name}(${takes})${type} {\n${indent(body)}\n}`;
}

/** Line length that most formatters use by now, columns. */
export const LINE_WIDTH = 100;

/** Joins parts to as few lines as possible. @param start of each line */
export function filledLines(parts: readonly string[], width: number, start = ''): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`;
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer;
    else lines.push(start + part);
  }
  return lines;
}

/** Writes a list on one line if it fits behind `margin` columns, else on as few lines as possible. */
export function listCode(open: string, items: readonly string[], close: string, margin = 0): string {
  const inline = `${open}${items.join(', ')}${close}`;
  if (inline.length + margin <= LINE_WIDTH && !inline.includes('\n')) return inline;
  const parts = items.map((item) => `${item},`);
  // Four columns of indentation: two by this list, and two by the function around it.
  const lines = inline.includes('\n') ? parts : filledLines(parts, LINE_WIDTH - 4);
  return `${open.trimEnd()}\n${indent(lines.join('\n'))}\n${close.trimStart()}`;
}

/** `["unit price"]` -> "unitPrice". */
export function toIdentifier(keys: readonly string[], otherwise: string): string {
  const [first = otherwise, ...others] = keys.join(' ').match(/[A-Za-z0-9_$]+/g) ?? [];
  const joined = first + others.map(capitalized).join('');
  return (/^[A-Za-z]/.test(joined) ? joined : otherwise + joined).slice(0, 40);
}

/** "orders" -> "order", "categories" -> "category"; null if the word is not a plural. */
export function toSingular(name: string): string | null {
  if (/[^aeiou]ies$/.test(name)) return name.replace(/ies$/, 'y');
  if (/(s|x|z|ch|sh)es$/.test(name)) return name.replace(/es$/, '');
  return /[^s]s$/.test(name) ? name.slice(0, -1) : null;
}

// Codecs are written once for two languages. Types are comments of a fixed form, so that the text itself is JavaScript:
// the emitted code is the timed code.

/** A string literal in program text. A key of the payload may look like code. */
const STRING = /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/.source;

/** Matches annotations. `as T` and `<T>` stand for a cast and for type arguments. */
const PIECES = new RegExp(`${STRING}|\\/\\*(\\??: |as |<|type )(.*?) ?\\*\\/`, 'g');

/** Matches functions without annotations, or with a return type alone. */
const FUNCTIONS = new RegExp(`${STRING}|(function \\w+\\()([\\w$, ]*)\\)( \\{|\\/\\*: )`, 'g');

const rendered = (text: string, annotation: (kind: string, type: string) => string): string =>
  text.replace(PIECES, (_, literal: string | undefined, kind: string, type: string) =>
    literal === undefined ? annotation(kind, type) : literal,
  );

export const asJavaScript = (text: string): string =>
  rendered(text.replace(/^ *\/\*type .*\*\/\n+/gm, ''), () => '');

export const asPasted = (text: string): string => asJavaScript(text).replace(/^export /gm, '');

/** TypeScript. Parameters and results without an annotation get the type `unknown`. */
export function asTypeScript(text: string): string {
  const annotated = text.replace(
    FUNCTIONS,
    (_, literal: string | undefined, open: string, names: string, after: string) =>
      literal ??
      `${open}${names.replace(/[\w$]+/g, '$&: unknown')})${after === ' {' ? ': unknown {' : after}`,
  );
  return rendered(annotated, (kind, type) => (kind === 'as ' ? ` as ${type}` : kind + type));
}

export type ModuleLanguage = 'typescript' | 'javascript' | 'commonjs';

export const inLanguage = (text: string, language: ModuleLanguage): string =>
  language === 'typescript' ? asTypeScript(text) : asJavaScript(text);

export const exportNames = (source: string): string[] =>
  [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name = '']) => name);

/** Compiles emitted code, and returns its exports: the code that the user gets is the proven code. */
export function functionsOf<F>(source: string): F {
  const body = `"use strict";\n${asPasted(source)}\nreturn { ${exportNames(source).join(', ')} };`;
  // biome-ignore lint/style/noRestrictedGlobals: of the tool's own code.
  return new Function(body)() as F;
}

const DECLARED = /^(?:export )?(?:async )?(?:\/\*type|const|let|function|class) (?:(\w+)|[[{] ?([^\]}]*))/gm;
/** Code without names: texts, comments without types, words after a dot or before a colon. */
const NO_NAMES = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*\*.*?\*\/|\/\/.*|\.[\w$]+|[\w$]+\??:/g;

export const namesIn = (code: string): Set<string> =>
  new Set(code.replace(NO_NAMES, ' ').match(/[A-Za-z_$][\w$]*/g));

const blockOf = (code: string) => ({
  code,
  declares: flatMap([...code.matchAll(DECLARED)], ([, name, names = '']) =>
    name === undefined ? map(names.split(','), (one) => one.split(':').at(-1)!.trim()) : [name],
  ),
  mentions: namesIn(code),
});
type Block = ReturnType<typeof blockOf>;

/** Blocks of declarations, which are separated by empty lines. */
export const blocksOf = (code: string): Block[] => map(code.split(/\n\n(?=\S)/), blockOf);

/** The blocks that this code calls, directly or indirectly, in their order. */
export function calledBy(code: string, blocks: readonly Block[]): string {
  const wanted = namesIn(code);
  const found = new Set<Block>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const block of blocks) {
      if (found.has(block) || !block.declares.some((name) => wanted.has(name))) continue;
      found.add(block);
      for (const name of block.mentions) wanted.add(name);
    }
  }
  return flatMap(blocks, (block) => (found.has(block) ? [block.code] : [])).join('\n\n');
}
