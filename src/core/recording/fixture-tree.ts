/** From a kept sample to the text of a module that makes it again. */
import { ToolError } from '../../model/errors.ts';
import type { ValueTree } from '../../model/recording/value-tree.ts';
import { isStandardError } from '../value/built-in-names.ts';
import { map } from '../value/lists.ts';
import type { FixtureModule } from './fixture/fixture.ts';
import { bracketed, indented, lines, literalKey, member } from './fixture/layout.ts';
import { elementBytes, viewOf } from './fixture/memory.ts';
import { ModuleText } from './fixture/module-text.ts';

/** What the walk of a sample may keep (value-tree.ts), and some more. */
const DEEPEST = 300;
const MOST_BACKING = 2 ** 30;

const HEAD = 'Made by clone-prof from a recorded message: its values are those that were posted.';
const CONSTANTS = { seed: 0, integerBytes: 1, keyUnits: 1, stackUnits: 300 };

/**
 * The value itself, as far as it was kept. The tree may be a stranger's: its texts stand in the module as literals only.
 *
 * @throws ToolError 'document-bad' for a tree that is nested too deeply
 */
export function fixtureFromTree(tree: ValueTree): FixtureModule {
  const writer = new TreeModule(tree);
  const root = writer.expression(tree, 0);
  return { text: writer.text.module(HEAD, root, CONSTANTS), differences: writer.text.differences };
}

type Branch = Exclude<ValueTree, null | boolean | number | string>;
type Container = Extract<
  Branch,
  { object: unknown } | { array: unknown } | { map: unknown } | { set: unknown }
>;

const isBranch = (tree: ValueTree): tree is Branch => typeof tree === 'object' && tree !== null;
const isContainer = (tree: Branch): tree is Container =>
  'object' in tree || 'array' in tree || 'map' in tree || 'set' in tree;
/** What counts in the order that `same` speaks of. */
const isMet = (tree: Branch): boolean =>
  !('left' in tree || 'same' in tree || 'undefined' in tree || 'number' in tree || 'bigint' in tree);

const childrenOf = (tree: Branch): readonly ValueTree[] => {
  if ('object' in tree) return map(tree.object, ([, value]) => value);
  if ('array' in tree) return tree.array;
  if ('map' in tree) return tree.map.flat();
  if ('set' in tree) return tree.set;
  return 'boxed' in tree ? [tree.boxed] : [];
};

class TreeModule {
  readonly text = new ModuleText();
  /** In the order in which they are met. */
  readonly #met: Branch[] = [];
  readonly #again = new Set<Branch>();
  readonly #names = new Map<Branch, string>();

  constructor(tree: ValueTree) {
    const same: number[] = [];
    this.#visit(tree, 0, same);
    for (const number of same) {
      const target = this.#met[number];
      if (target !== undefined) this.#again.add(target);
    }
  }

  #visit(tree: ValueTree, depth: number, same: number[]): void {
    if (!isBranch(tree)) return;
    if (depth > DEEPEST)
      throw new ToolError('document-bad', {
        ...{ file: 'the recorded sample', value: 'sample' },
        detail: `it is more than ${DEEPEST} levels deep. Record again without --values`,
      });
    if ('same' in tree) same.push(tree.same);
    if (!isMet(tree)) return;
    this.#met.push(tree);
    for (const child of childrenOf(tree)) this.#visit(child, depth + 1, same);
  }

  expression(tree: ValueTree, depth: number): string {
    if (!isBranch(tree)) return Object.is(tree, -0) ? '-0' : JSON.stringify(tree);
    if ('same' in tree) return this.#same(tree.same);
    if (!this.#again.has(tree)) return this.#made(tree, depth);
    // Its name is there before its values are, which may refer to it.
    if (isContainer(tree)) {
      const name = this.text.variable('shared', emptyOf(tree));
      this.#names.set(tree, name);
      return this.#filled(tree, name, depth);
    }
    const name = this.text.variable('shared', this.#made(tree, depth));
    this.#names.set(tree, name);
    return name;
  }

  #same(number: number): string {
    const target = this.#met[number];
    const name = target === undefined ? undefined : this.#names.get(target);
    if (name === undefined) this.text.differs('a reference to a value that was not kept is null here');
    return name ?? 'null';
  }

  #made(tree: Branch, depth: number): string {
    if (isContainer(tree)) return this.#container(tree, depth);
    if ('undefined' in tree) return 'undefined';
    if ('number' in tree) return NUMBERS.has(tree.number) ? tree.number : 'NaN';
    if ('bigint' in tree)
      return /^-?\d{1,10000}$/.test(tree.bigint) ? `${tree.bigint}n`.replace(LEADING, '$1') : '0n';
    if ('date' in tree) return `new Date(${typeof tree.date === 'number' ? tree.date : 'NaN'})`;
    if ('regexp' in tree) return this.#regexp(tree.regexp);
    if ('error' in tree) return this.#error(tree.error);
    if ('boxed' in tree) return `Object(${this.expression(tree.boxed, depth + 1)})`;
    if ('buffer' in tree) return this.#buffer(tree);
    if ('view' in tree) return this.#view(tree);
    return this.#left('left' in tree ? tree.left : '');
  }

  #container(tree: Container, depth: number): string {
    const inner = (child: ValueTree) => this.expression(child, depth + 1);
    if ('object' in tree) {
      if (tree.prototype !== undefined) return this.#filled(tree, emptyOf(tree), depth);
      const properties = map(tree.object, ([key, value]) => `${literalKey(key)}: ${inner(value)}`);
      return properties.length === 0 ? '{}' : bracketed('{ ', properties, ' }');
    }
    if ('array' in tree) {
      const holes = new Set(tree.holes);
      const items = map(tree.array, (item, i) => (holes.has(i) ? '' : inner(item)));
      return lines(items);
    }
    if ('map' in tree)
      return `new Map(${lines(map(tree.map, ([key, value]) => `[${inner(key)}, ${inner(value)}]`))})`;
    return `new Set(${lines(map(tree.set, inner))})`;
  }

  /** An object that is there first, and is filled then. */
  #filled(tree: Container, empty: string, depth: number): string {
    const inner = (child: ValueTree) => this.expression(child, depth + 1);
    const statements: string[] = [];
    if ('object' in tree) for (const [key, value] of tree.object) statements.push(put(key, inner(value)));
    else if ('array' in tree) {
      const holes = new Set(tree.holes);
      tree.array.forEach((item, i) => {
        if (!holes.has(i)) statements.push(`o[${i}] = ${inner(item)};`);
      });
      if (holes.size > 0) statements.push(`o.length = ${tree.array.length};`);
    } else if ('map' in tree)
      for (const [key, value] of tree.map) statements.push(`o.set(${inner(key)}, ${inner(value)});`);
    else for (const one of tree.set) statements.push(`o.add(${inner(one)});`);
    if (statements.length === 0) return empty;
    const body = statements.map((line) => `\n  ${indented(line)}`).join('');
    return this.text.call('also', empty, `(o) => {${body}\n}`);
  }

  #regexp([source, flags]: readonly [string, string]): string {
    try {
      // Compiled only: whether it is one at all.
      new RegExp(source, flags);
      return `new RegExp(${JSON.stringify(source)}, ${JSON.stringify(flags)})`;
    } catch {
      this.text.differs('a regular expression that cannot be compiled here is /item/');
      return '/item/';
    }
  }

  #error([name, message]: readonly [string, string]): string {
    this.text.differs('stack and cause of an error were not kept');
    const type = isStandardError(name) ? name : this.text.className(name, 'Error');
    const first = name === 'AggregateError' ? '[], ' : '';
    return this.text.call('failed', `new ${type}(${first}${JSON.stringify(message)})`);
  }

  #buffer({ buffer, shared }: Extract<Branch, { buffer: string }>): string {
    const bytes = this.#bytes(buffer);
    if (shared !== true) return `${bytes}.buffer`;
    const type = '(buffer) => new Uint8Array(buffer)';
    this.text.uses('also');
    return `((all) => also(new SharedArrayBuffer(all.length), (o) => (${type})(o).set(all)))(${bytes})`;
  }

  #bytes(base64: string): string {
    const isValid = /^[A-Za-z0-9+/]*={0,2}$/.test(base64) && base64.length % 4 === 0;
    if (!isValid) this.text.differs('bytes that cannot be read are left out');
    return this.text.call('bytes', JSON.stringify(isValid ? base64 : ''));
  }

  #view({ view, type, backing, offset }: Extract<Branch, { view: string }>): string {
    const known = elementBytes(type);
    const unit = known ?? 1;
    if (known === undefined) this.text.differs(`a view of type ${JSON.stringify(type)} is a Uint8Array here`);
    const shown = Math.floor((3 * view.length) / 4);
    const fits = backing <= MOST_BACKING && offset % unit === 0 && offset + shown - 2 <= backing;
    if (!fits) this.text.differs('a view does not fit its buffer: it has one of its own here');
    const bytes = this.#bytes(view);
    const make = viewOf(known === undefined ? 'Uint8Array' : type, unit);
    const whole = fits ? backing : shown + 8;
    return this.text.call('viewed', make, bytes, whole, fits ? offset : 0);
  }

  #left(reason: string): string {
    this.text.differs(
      `what was not kept (${JSON.stringify(reason.slice(0, 60))}) is ${LEFT.has(reason) ? 'another one' : 'null'} here`,
    );
    return LEFT.get(reason) ?? 'null';
  }
}

const NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity', '-0']);
/** Zeros before a literal of digits. */
const LEADING = /^(-?)0+(?=\d)/;

const LEFT: ReadonlyMap<string, string> = new Map([
  ['function', '() => {}'],
  ['symbol', 'Symbol()'],
  ['proxy', 'new Proxy({}, {})'],
]);

function emptyOf(tree: Container): string {
  if ('array' in tree) return '[]';
  if ('map' in tree) return 'new Map()';
  if ('set' in tree) return 'new Set()';
  if (tree.prototype === undefined) return '{}';
  return tree.prototype === 'null' ? 'Object.create(null)' : 'Object.create({})';
}

const put = (key: string, value: string): string =>
  key === '__proto__'
    ? `Object.defineProperty(o, "__proto__", { value: ${value}, writable: true, enumerable: true, configurable: true });`
    : `${member(key)} = ${value};`;
