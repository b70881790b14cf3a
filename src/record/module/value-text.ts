/** Text of values without values in them, of buffers and views, and of the statements that flags of a value ask for. */
import type { BufferNode, ErrorNode, TreeNode, ViewNode } from '../../model/documents/recorded/value-tree.ts';
import type { Flag } from '../../model/vocabulary/shape.ts';
import { bigintIn } from '../values/tree-children.ts';
import type { ModuleText } from './module-text.ts';

const flagsOf = (tree: TreeNode): readonly Flag[] => ('flags' in tree ? (tree.flags ?? []) : []);
export const has = (tree: TreeNode, ...wanted: Flag[]): boolean =>
  flagsOf(tree).some((flag) => wanted.includes(flag));

const NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);

/** Values that cannot be kept, and that a constructor makes without data. */
const BARE = [
  ...['Intl.Collator', 'Intl.DateTimeFormat', 'Intl.NumberFormat'],
  ...['Response', 'Headers', 'AbortController', 'Blob', 'ReadableStream'],
];
const LEFT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(BARE.map((name) => [name, `new ${name}()`])),
  ...{ function: '() => {}', symbol: 'Symbol()', Symbol: 'Object(Symbol())', proxy: 'new Proxy({}, {})' },
  ...{ promise: 'Promise.resolve()', weakmap: 'new WeakMap()', weakset: 'new WeakSet()' },
  ...{ weakref: 'new WeakRef({})', generator: '(function* () {})()', iterator: 'new Map().entries()' },
  FinalizationRegistry: 'new FinalizationRegistry(() => {})',
  ...{ Request: 'new Request("https://example.com")', URL: 'new URL("https://example.com")' },
  ...{ File: 'new File(["file"], "file")', MessagePort: 'new MessageChannel().port1' },
};

export function leafText(text: ModuleText, tree: TreeNode): string {
  if (tree.is === 'undefined') return 'undefined';
  if (tree.is === 'number') return NUMBERS.has(tree.number) ? tree.number : 'NaN';
  if (tree.is === 'bigint') return `${bigintIn(tree.bigint)}n`;
  if (tree.is === 'date') return `new Date(${typeof tree.date === 'number' ? tree.date : 'NaN'})`;
  if (tree.is === 'regexp') return regexpText(text, tree);
  return tree.is === 'left' ? leftText(text, tree.left) : 'null';
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

const ELEMENT_BYTES: Readonly<Record<string, number>> = {
  ...{ Int8Array: 1, Uint8Array: 1, Uint8ClampedArray: 1, DataView: 1, Buffer: 1 },
  ...{ Int16Array: 2, Uint16Array: 2, Float16Array: 2 },
  ...{ Int32Array: 4, Uint32Array: 4, Float32Array: 4 },
  ...{ Float64Array: 8, BigInt64Array: 8, BigUint64Array: 8 },
};

function shownText(text: ModuleText, view: string, base64: string): string {
  const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
  if (!isValid) text.differs('bytes that cannot be read are left out');
  return text.call('shown', view, JSON.stringify(isValid ? base64 : ''));
}

export function bufferText(text: ModuleText, node: BufferNode): string {
  const { bytes, content } = node;
  const type = node.shared === true ? 'SharedArrayBuffer' : 'ArrayBuffer';
  if (has(node, 'untransferable')) text.differs('a buffer is not marked as untransferable here');
  if (has(node, 'detached')) text.differs('a detached buffer is an empty one here');
  const options = has(node, 'resizable') ? `, { maxByteLength: ${bytes + 64} }` : '';
  const made = `new ${type}(${bytes}${options})`;
  return content === undefined ? made : `${shownText(text, `new Uint8Array(${made})`, content)}.buffer`;
}

export function viewText(text: ModuleText, node: ViewNode, on: string, size: number): string {
  const { offset, bytes, content, digits } = node;
  const isKnown = Object.hasOwn(ELEMENT_BYTES, node.type);
  const type = isKnown ? node.type : 'Uint8Array';
  const unit = ELEMENT_BYTES[type]!;
  if (!isKnown) text.differs(`a view of type ${JSON.stringify(node.type)} is a Uint8Array here`);
  if (has(node, 'out-of-bounds')) {
    const view = `new ${type}(new ArrayBuffer(16, { maxByteLength: 32 }), 8, ${8 / unit})`;
    return text.call('also', view, '(o) => o.buffer.resize(4)');
  }
  const make = type === 'Buffer' ? 'Buffer.from' : `new ${type}`;
  if (offset % unit !== 0 || bytes % unit !== 0 || offset + bytes > size) {
    text.differs('a view does not fit its buffer, and shows all of it here');
    return `${make}(${on})`;
  }
  const range = has(node, 'length-tracking') && offset === 0 ? '' : `, ${offset}, ${bytes / unit}`;
  const made = `${make}(${on}${range})`;
  if (content !== undefined) return shownText(text, made, content);
  return digits !== undefined && digits > 1 && type !== 'DataView' && !type.startsWith('Big')
    ? text.call('digits', made, Math.round(digits * 100) / 100)
    : made;
}

/** Once the properties of the value are there. @param sent text of a key that is sent */
export function flagStatements(text: ModuleText, tree: TreeNode, sent?: string): string[] {
  if (tree.is === 'object') return attributeStatements(text, tree, sent);
  if (tree.is === 'array') return arrayStatements(text, tree);
  if (tree.is === 'error') return errorStatements(text, tree);
  const label = has(tree, 'extra-props') ? ['o.label = 0;'] : [];
  if (!WITHOUT_PROPERTIES.has(tree.is)) return tree.is === 'view' ? label : [];
  const slot = has(tree, 'altered-slot') ? ['o.lastIndex = 1;'] : [];
  return [...slot, ...label, ...attributeStatements(text, tree)];
}

/** Their own properties are not in the tree. */
const WITHOUT_PROPERTIES: ReadonlySet<string> = new Set(['map', 'set', 'boxed', 'date', 'regexp']);

const LOCKS = { frozen: 'freeze', sealed: 'seal', 'non-extensible': 'preventExtensions' } as const;
const LOCKED = Object.keys(LOCKS) as (keyof typeof LOCKS)[];

function attributeStatements(text: ModuleText, tree: TreeNode, sent?: string): string[] {
  const lines: string[] = [];
  const define = (key: string, what: string) => lines.push(`Object.defineProperty(o, ${key}, { ${what} });`);
  if (has(tree, 'prototype-indexed')) text.differs('a prototype with indices has none here');
  if (has(tree, 'other-realm')) text.differs('a prototype of another realm is of this one here');
  if (has(tree, 'enumerable-accessor')) text.differs('an accessor has a name and value of ours');
  if (has(tree, 'symbol-key')) lines.push('o[Symbol("key")] = 0;');
  const isHidden = !has(tree, 'enumerable-accessor');
  if (has(tree, 'accessor'))
    define('"computed"', `get: () => 0, enumerable: ${!isHidden}, configurable: true`);
  if (has(tree, 'non-enumerable') && !(has(tree, 'accessor') && isHidden))
    define('"hidden"', 'value: 0, enumerable: false, writable: true, configurable: true');
  if (has(tree, 'indexed-storage')) lines.push('o[0] = 0;', 'delete o[0];');
  if (has(tree, 'dictionary', 'hidden-state', 'uncacheable-dictionary'))
    lines.push(`${text.call('slow', 'o')};`);
  // An object without properties is all three at once.
  const isVacuous = has(tree, 'vacuously-frozen');
  const locked = isVacuous ? 'non-extensible' : LOCKED.find((flag) => has(tree, flag));
  const fixed = [
    ...(has(tree, 'read-only') ? ['writable: false'] : []),
    ...(has(tree, 'non-configurable') ? ['configurable: false'] : []),
  ];
  const isSent = has(tree, 'sent-fixed') && sent !== undefined;
  const key = !isSent && has(tree, 'non-enumerable') ? '"hidden"' : sent;
  const mayBeFixed = locked === undefined || locked === 'non-extensible';
  if (mayBeFixed && fixed.length > 0 && key !== undefined) define(key, fixed.join(', '));
  if (locked !== undefined) lines.push(`Object.${LOCKS[locked]}(o);`);
  return lines;
}

const ATTRIBUTES: readonly Flag[] = ['accessor', 'non-enumerable', 'non-configurable', 'read-only'];

/** Attributes of an array without names apply to its elements, or to `length`. */
function arrayStatements(text: ModuleText, tree: TreeNode): string[] {
  if (has(tree, 'array-storage', 'slow-put')) text.differs('an array is stored as a usual one here');
  const found = flagsOf(tree).filter((flag) => ATTRIBUTES.includes(flag));
  const hasNames = tree.is === 'array' && tree.named !== undefined;
  if (has(tree, 'frozen', 'sealed') || hasNames || found.length === 0) return attributeStatements(text, tree);
  const flags = flagsOf(tree).filter((flag) => !ATTRIBUTES.includes(flag) && flag !== 'enumerable-accessor');
  const statements = attributeStatements(text, { ...tree, flags } as TreeNode);
  if (found.length === 1 && found[0] === 'read-only' && !has(tree, 'dictionary-elements'))
    return [...statements, `Object.defineProperty(o, "length", { writable: false });`];
  text.differs('elements with attributes are ordinary ones here');
  return statements;
}

function errorStatements(text: ModuleText, tree: ErrorNode): string[] {
  text.differs('the stack of an error is a text of ours');
  if (has(tree, 'altered-slot')) text.differs('a message that is not a text is one here');
  return [
    ...(has(tree, 'extra-props') ? ['o.code = 0;'] : []),
    ...(has(tree, 'aggregate') && tree.tag !== 'AggregateError' ? ['o.errors = [];'] : []),
    ...attributeStatements(text, tree),
  ];
}
