/** Expressions for values of a tree without children. */
import type { ObjectNode, TreeNode } from '../../model/documents/recorded/value-tree.ts';
import { sumOf } from '../../model/sums.ts';
import { isIndexKey } from '../../value/read/own-data.ts';
import { bigintIn } from '../values/tree-children.ts';
import type { ModuleText } from './module-text.ts';

const NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

/** Values that cannot be kept, and that their constructor makes without data. */
const LEFT: Readonly<Record<string, string>> = {
  function: '() => {}',
  symbol: 'Symbol()',
  Symbol: 'Object(Symbol())',
  proxy: 'new Proxy({}, {})',
  promise: 'Promise.resolve()',
  weakmap: 'new WeakMap()',
  weakset: 'new WeakSet()',
  weakref: 'new WeakRef({})',
  generator: '(function* () {})()',
  iterator: 'new Map().entries()',
  FinalizationRegistry: 'new FinalizationRegistry(() => {})',
  'Intl.Collator': 'new Intl.Collator("en")',
  'Intl.DateTimeFormat': 'new Intl.DateTimeFormat("en")',
  'Intl.NumberFormat': 'new Intl.NumberFormat("en")',
  Request: 'new Request("https://example.com")',
  Response: 'new Response("")',
  Headers: 'new Headers()',
  URL: 'new URL("https://example.com")',
  AbortController: 'new AbortController()',
  File: 'new File(["file"], "file")',
  Blob: 'new Blob(["blob"])',
  MessagePort: 'new MessageChannel().port1',
  ReadableStream: 'new ReadableStream()',
};

export function leafText(text: ModuleText, tree: TreeNode): string {
  switch (tree.is) {
    case 'undefined':
      return 'undefined';
    case 'number':
      return NUMBERS.has(tree.number) ? tree.number : 'NaN';
    case 'bigint':
      return `${bigintIn(tree.bigint)}n`;
    case 'date':
      return `new Date(${typeof tree.date === 'number' ? tree.date : 'NaN'})`;
    case 'regexp':
      return regexpText(text, tree);
    case 'left':
      return leftText(text, tree.left);
    default:
      return 'null';
  }
}

function regexpText(text: ModuleText, { source, letters }: { source: string; letters: string }): string {
  try {
    // Compiled only to see if it is valid.
    new RegExp(source, letters);
    return `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(letters)})`;
  } catch {
    text.differs('a regular expression that cannot be compiled here is /item/');
    return '/item/';
  }
}

function leftText(text: ModuleText, reason: string): string {
  const made = Object.hasOwn(LEFT, reason) ? LEFT[reason] : undefined;
  const instead = made === undefined ? 'an empty object' : 'another one';
  text.differs(`a value that cannot be kept (${JSON.stringify(reason.slice(0, 60))}) is ${instead} here`);
  return made ?? '{}';
}

/** A function that makes further keys, as long as these. */
export function otherKeys(text: ModuleText, entries: ObjectNode['entries']): string {
  const units = Math.round(sumOf(entries, ([key]) => key.length) / entries.length);
  if (!entries.every(([key]) => isIndexKey(key))) return `(i) => ${text.call('named', 'i', units)}`;
  return `(i) => String(${10 ** Math.max(0, Math.min(9, units - 1))} + i)`;
}
