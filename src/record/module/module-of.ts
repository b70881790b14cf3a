/** Makes the text of a module that builds a recorded message again. Texts of the message stand there as literals only. */
import type * as trees from '../../model/documents/recorded/value-tree.ts';
import type { ByteRequest } from '../../model/recording/recording.ts';
import { sumOf } from '../../model/sums.ts';
import { isStandardError } from '../../value/read/built-in-types.ts';
import { isIndexKey, isObject } from '../../value/read/own-data.ts';
import { assignment, bracketed, functionOf, has, listText, literalKey, ModuleText } from './module-text.ts';
import { checkWork, sharedValues, sizedTree, standsForAll } from './tree-facts.ts';

const HEADS = {
  kept: 'Made by clone-prof from a recorded message: its values are those that were posted.',
  masked:
    'Made by clone-prof from a recorded message: texts, numbers and keys that are data are others of the same size.',
};

/**
 * An ES module, which imports nothing: its default export makes a new value at each call, the same one each time.
 *
 * @param seed texts that were masked begin with other signs @throws ToolError 'document-bad' (`sharedValues`)
 */
export function moduleOf(tree: trees.ValueTree, head: keyof typeof HEADS, seed = 0) {
  const writer = new TreeWriter(tree);
  const root = writer.expression(tree);
  const { text } = writer;
  const made = functionOf('', [...text.start, ...writer.statements], root);
  const parts = [`// ${HEADS[head]}`, ...text.declarations(seed), `export default ${made};`];
  return { text: `${parts.join('\n\n')}\n`, differences: text.differences };
}

/**
 * Body of a function that makes the value for counting its bytes. It returns `parts` too, the containers with items that
 * stand for all: `[of, inside, container]`. @throws ToolError as `moduleOf`
 */
export function bytesModuleOf(tree: trees.ValueTree): Pick<ByteRequest, 'body' | 'left'> {
  checkWork(tree);
  const { tree: some, parts, left } = sizedTree(tree);
  const writer = new TreeWriter(some, parts);
  const root = writer.expression(some);
  const body = [
    '"use strict";',
    'const parts = [];',
    'const part = (of, inside, container) => (parts.push([of, inside, container]), container);',
    ...writer.text.declarations(0),
    ...writer.statements,
    `return { value: ${root}, parts };`,
  ];
  return { body: body.join('\n'), left };
}

const BUILT_IN = {
  array: 'Array',
  map: 'Map',
  set: 'Set',
  boxed: 'Object',
  date: 'Date',
  regexp: 'RegExp',
} as const;

type Parts = ReturnType<typeof sizedTree>['parts'];

class TreeWriter {
  readonly text = new ModuleText();
  readonly #shared: ReturnType<typeof sharedValues>;
  readonly #names = new Map<number, string>();
  readonly #likes = new Map<number, string>();
  readonly #texts: string[] = [];
  readonly #sizes = new Map<number, number>();
  readonly #parts: Parts;

  constructor(tree: trees.ValueTree, parts: Parts = new Map()) {
    this.#shared = sharedValues(tree);
    this.#parts = parts;
  }

  get statements(): readonly string[] {
    const names = [...this.#names.values()];
    return [...(names.length === 0 ? [] : [`let ${names.join(', ')};`]), ...this.#texts];
  }

  expression(tree: trees.ValueTree): string {
    if (!isObject(tree)) return Object.is(tree, -0) ? '-0' : JSON.stringify(tree);
    if (tree.is === 'text') return this.#text(tree);
    if (tree.is === 'same') {
      const name = this.#names.get(tree.id);
      if (name === undefined) this.text.differs('a reference to a value that was not kept is null here');
      return name ?? 'null';
    }
    const part = this.#parts.get(tree);
    const made = this.#node(tree);
    return part === undefined ? made : `part(${part.of}, ${part.inside}, ${made})`;
  }

  #node(tree: trees.TreeNode): string {
    const id = 'id' in tree ? tree.id : undefined;
    if (id === undefined || !this.#shared.referred.has(id) || this.#names.has(id)) return this.#made(tree);
    const name = this.text.nameFor('shared');
    let made: string;
    if (this.#shared.cyclic.has(id)) {
      // Its content refers to it, so it is filled in afterwards.
      this.#names.set(id, name);
      made = this.#changed(`${name} = ${this.#empty(tree)}`, this.#filled(tree));
    } else {
      made = `${name} = ${this.#made(tree)}`;
      this.#names.set(id, name);
    }
    return this.#shared.common.has(id) ? `(${name} ?? (${made}))` : `(${made})`;
  }

  #maker = (value: trees.ValueTree): string => functionOf('', [], this.expression(value));

  #list = (parts: readonly trees.ValueTree[]): string =>
    `[${parts.map((part) => this.expression(part)).join(', ')}]`;

  #text(node: trees.TextNode): string {
    const { like, units, beyond, text } = node;
    const known = like === undefined ? undefined : this.#likes.get(like);
    if (known !== undefined) return known;
    const parts = [...(beyond ?? [])];
    while (parts.at(-1) === 0) parts.pop();
    let made = text === undefined ? this.text.call('text', units, ...parts) : JSON.stringify(text);
    if (has(node, 'ascii-in-two-byte')) made = this.text.call('loose', made);
    // JavaScriptCore has a part of a text as a rope too.
    if (has(node, 'substring')) made = this.text.call('cut', made);
    else if (has(node, 'rope')) made = this.text.call('rope', made);
    else if (has(node, 'atom')) made = `Object.keys({ [${made}]: 0 })[0]`;
    if (like === undefined) return made;
    const name = this.text.nameFor('text');
    this.#texts.push(`const ${name} = ${made};`);
    this.#likes.set(like, name);
    return name;
  }

  #made(tree: trees.TreeNode): string {
    const literal = this.#literal(tree);
    if (literal !== null) return this.#changed(literal, this.#finishing(tree));
    return this.#changed(this.#empty(tree), this.#filled(tree));
  }

  #changed(made: string, statements: readonly string[]): string {
    return statements.length === 0 ? made : this.text.call('also', made, functionOf('o', statements));
  }

  #literal(tree: trees.TreeNode): string | null {
    if (tree.is === 'object') return this.#empty(tree) === '{}' ? this.#properties(tree) : null;
    if (tree.is === 'error') return null;
    if (tree.is === 'array') return has(tree, 'subclass') ? null : this.#stored(tree, this.#items(tree));
    if (tree.is === 'map' || tree.is === 'set') return has(tree, 'subclass') ? null : this.#members(tree);
    if (tree.is === 'arguments') {
      const all = tree.entries.map(([, value]) => this.expression(value));
      return bracketed('(function () { return arguments; })(', all, ')');
    }
    if (tree.is === 'boxed') return `Object(${this.expression(tree.value)})`;
    if (tree.is === 'view') return this.text.viewText(tree, this.expression(tree.on), this.#sizeOf(tree.on));
    if (tree.is !== 'buffer') return this.text.leafText(tree);
    if (tree.id !== undefined) this.#sizes.set(tree.id, tree.bytes);
    return this.text.bufferText(tree);
  }

  #properties({ entries }: trees.ObjectNode): string {
    const all = entries.map(([key, value]) => `${literalKey(key)}: ${this.expression(value)}`);
    return all.length === 0 ? '{}' : bracketed('{ ', all, ' }');
  }

  #members(tree: trees.MapNode | trees.SetNode): string {
    if (standsForAll(tree)) return this.#many(tree);
    const all =
      tree.is === 'map' ? tree.entries.map(this.#list) : tree.items.map((item) => this.expression(item));
    return `new ${BUILT_IN[tree.is]}(${all.length === 0 ? '' : listText(all)})`;
  }

  #sizeOf(buffer: trees.ValueTree): number {
    if (!isObject(buffer)) return 0;
    if (buffer.is === 'same') return this.#sizes.get(buffer.id) ?? 0;
    return buffer.is === 'buffer' ? buffer.bytes : 0;
  }

  #empty(tree: trees.TreeNode): string {
    if (tree.is === 'array') {
      const length = Math.max(1, tree.items.length);
      const holey = standsForAll(tree) ? this.text.call('holey') : `new Array(${length})`;
      const made = has(tree, 'holey-kind') ? holey : '[]';
      return has(tree, 'subclass') ? `new ${this.#classOf(tree)}()` : made;
    }
    if (tree.is === 'map' || tree.is === 'set') return `new ${this.#classOf(tree)}()`;
    if (tree.is === 'error') return this.#emptyError(tree);
    if (tree.is !== 'object') return 'null';
    if (has(tree, 'null-prototype') && has(tree, 'dictionary')) return 'Object.create(null)';
    if (!has(tree, 'class-instance')) return '{}';
    if (tree.tag === undefined) return 'Object.create({})';
    const isOwn = tree.entries.some(([key]) => key === 'toJSON');
    const body = has(tree, 'to-json') && !isOwn ? ' toJSON() { return null; } ' : '';
    return `new ${this.text.className(tree.tag, null, body)}()`;
  }

  #classOf(tree: Extract<trees.TreeNode, { is: keyof typeof BUILT_IN }>): string {
    const above = BUILT_IN[tree.is];
    return has(tree, 'subclass') ? this.text.className(tree.tag ?? `${above}Like`, above) : above;
  }

  #filled(tree: trees.TreeNode): string[] {
    return [...this.#filling(tree), ...this.#finishing(tree)];
  }

  #filling(tree: trees.TreeNode): string[] {
    if (tree.is === 'object')
      return tree.entries.map(([key, value]) => assignment(key, this.expression(value)));
    if (tree.is === 'array') return this.#itemStatements(tree);
    if (tree.is === 'error' && tree.cause !== undefined)
      return [
        `o.cause = ${this.expression(tree.cause)};`,
        // The engine makes a cause that is not enumerable.
        'Object.defineProperty(o, "cause", { enumerable: false });',
      ];
    if (tree.is !== 'map' && tree.is !== 'set') return [];
    if (standsForAll(tree)) return [`${this.#many(tree, 'o')};`];
    const add = `o.${tree.is === 'map' ? 'set' : 'add'}`;
    const texts = (parts: readonly trees.ValueTree[]) =>
      parts.map((part) => this.expression(part)).join(', ');
    return membersOf(tree).map((parts) => `${add}(${texts(parts)});`);
  }

  #finishing(tree: trees.TreeNode): string[] {
    if (tree.is === 'object') return this.#objectFinishing(tree);
    const isPlain = tree.is !== 'boxed' && tree.is !== 'date' && tree.is !== 'regexp';
    const own =
      tree.is === 'array'
        ? this.#arrayFinishing(tree)
        : isPlain || !has(tree, 'subclass')
          ? []
          : [`Object.setPrototypeOf(o, ${this.#classOf(tree)}.prototype);`];
    return [...own, ...this.text.flagStatements(tree)];
  }

  #objectFinishing(tree: trees.ObjectNode): string[] {
    if (has(tree, 'web-object')) this.text.differs(`${tree.tag} is an ordinary object here`);
    const { entries, of = 0 } = tree;
    const statements: string[] = [];
    if (standsForAll(tree) && entries.length > 0) {
      const makers = listText(entries.map(([, value]) => this.#maker(value)));
      const fill = this.text.call('fill', 'o', of - entries.length, makers, this.#otherKeys(entries));
      statements.push(`${fill};`);
    }
    if (has(tree, 'null-prototype') && this.#empty(tree) === '{}')
      statements.push('Object.setPrototypeOf(o, null);');
    const sent = entries[0] && JSON.stringify(entries[0][0]);
    return [...statements, ...this.text.flagStatements(tree, sent)];
  }

  #otherKeys(entries: trees.ObjectNode['entries']): string {
    const units = Math.round(sumOf(entries, ([key]) => key.length) / entries.length);
    if (!entries.every(([key]) => isIndexKey(key))) return `(i) => ${this.text.call('named', 'i', units)}`;
    return `(i) => String(${10 ** Math.max(0, Math.min(9, units - 1))} + i)`;
  }

  #items(tree: trees.ArrayNode): string {
    const { items, at, of = 0 } = tree;
    // V8 would keep all of a long one.
    if (at !== undefined && of > MAX_HOLEY_LENGTH) return this.#changed('[]', this.#itemStatements(tree));
    if (at === undefined && items.length === 0 && of > 0) return `new Array(${of})`;
    if (at === undefined && items.length === 0) {
      // An empty array is stored as what it was last.
      const [, last] = EMPTIED.find(([flags]) => has(tree, ...flags)) ?? [];
      return last === undefined ? '[]' : this.#changed(last, ['o.pop();']);
    }
    if (standsForAll(tree)) return this.#many(tree);
    const all = items.map((item) => this.expression(item));
    if (at === undefined && !has(tree, 'holey-kind')) return listText(all);
    const indices = at ?? all.map((_, i) => i);
    return this.text.call('placed', at ? of : all.length, listText(all), listText(indices.map(String)));
  }

  /** A call that makes all items from some of them. @param into the variable that gets them, if it is there already */
  #many(tree: trees.ArrayNode | trees.MapNode | trees.SetNode, into?: string): string {
    this.text.differs('of long lists some items were kept, which stand for the others');
    if (tree.is !== 'array') {
      const makers = membersOf(tree).map((parts) => functionOf('', [], this.#list(parts)));
      const made = into ?? `new ${BUILT_IN[tree.is]}()`;
      return this.text.call('keyed', makers.length === 0 ? 0 : tree.of!, listText(makers), made);
    }
    const { items, of } = tree;
    const areLeaves = items.every((item) => !isObject(item) && typeof item !== 'string');
    const made = items.map((item) => (areLeaves ? this.expression(item) : this.#maker(item)));
    const empty = into ?? (has(tree, 'holey-kind') ? this.text.call('holey') : undefined);
    return this.text.call('list', made.length === 0 ? 0 : of!, listText(made), ...(empty ? [empty] : []));
  }

  #itemStatements(tree: trees.ArrayNode): string[] {
    const { items, at, of } = tree;
    if (standsForAll(tree) && items.length > 0) return [`${this.#many(tree, 'o')};`];
    const all = items.map((item, i) => `o[${at?.[i] ?? i}] = ${this.expression(item)};`);
    return of === undefined ? all : [...all, `o.length = ${of};`];
  }

  #arrayFinishing(tree: trees.ArrayNode): string[] {
    return [
      ...(tree.named ?? []).map(([key, value]) => assignment(key, this.expression(value))),
      ...(has(tree, 'dictionary-elements') ? [`${this.text.call('sparse', 'o')};`] : []),
      ...(has(tree, 'named-props-history') ? ['o.gone = 0;', 'delete o.gone;'] : []),
      ...(has(tree, 'null-prototype') ? ['Object.setPrototypeOf(o, null);'] : []),
    ];
  }

  #stored(tree: trees.ArrayNode, made: string): string {
    if (tree.items.length === 0 || tree.at !== undefined) return made;
    const isNumeric = tree.items.every((item) => typeof item === 'number');
    if (isNumeric && has(tree, 'packed-elements', 'contiguous')) return this.text.call('stored', made, '""');
    const isInteger = tree.items.every((item) => typeof item === 'number' && item === (item | 0));
    return isInteger && has(tree, 'packed-double', 'double-storage')
      ? this.text.call('stored', made, 0.5)
      : made;
  }

  /** The error is made without its cause, which may refer to it. */
  #emptyError({ tag = 'Error', message, stack = USUAL_STACK, ...rest }: trees.ErrorNode): string {
    const type = isStandardError(tag) ? tag : this.text.className(tag, 'Error');
    const first = has(rest, 'aggregate') && tag === 'AggregateError' ? '[], ' : '';
    const said = message === undefined ? '' : this.expression(message);
    return this.text.call('failed', `new ${type}(${first}${said})`, stack);
  }
}

const membersOf = (tree: trees.MapNode | trees.SetNode): readonly (readonly trees.ValueTree[])[] =>
  tree.is === 'map' ? tree.entries : tree.items.map((item) => [item]);

const MAX_HOLEY_LENGTH = 1_000_000;
/** Units of a stack that was not a text yet. */
export const USUAL_STACK = 300;

const EMPTIED = [
  [['holey-kind'], 'new Array(1)'],
  [['packed-double', 'double-storage'], '[0.5]'],
  [['packed-elements', 'contiguous'], '[""]'],
  [['int32-storage'], '[0]'],
] as const;
