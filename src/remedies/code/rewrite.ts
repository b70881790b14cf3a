import { literal, member, propertyName } from './javascript.ts';
import { type RewriteTarget, type TargetNode, trieOf } from './target-trie.ts';

/** Own keys of lists, boxed strings, RegExps and errors; other keys lead to ordinary objects only. */
const OWN_ELSEWHERE = /^(\d+|length|lastIndex|name|message|stack|cause|errors|line|column|sourceURL)$/;

type Way = 'copy' | 'in-place';

function commentOn(pattern: string): string {
  return `// ${literal(pattern).slice(1, -1).replaceAll('\\"', '"')}`;
}

class Writer {
  readonly functions: string[] = [];
  readonly way: Way;
  #named = 0;
  constructor(way: Way) {
    this.way = way;
  }

  /** All functions, the one for the root last and under this name. */
  declaration(root: TargetNode, name: string): string {
    if (this.#hasInside(root) && root.rewrite === null) this.#functionFor(root, name);
    else this.functions.push(`function ${name}(value) {\n  return ${this.expression(root, 'value')};\n}`);
    return this.functions.join('\n');
  }

  /** Source of the changed value: what is inside first when sending, last when receiving. */
  expression(at: TargetNode, value: string): string {
    const inner = this.#hasInside(at) ? this.#functionFor(at) : null;
    const change = at.rewrite ?? ((text: string) => text);
    if (inner === null) return change(value);
    return this.way === 'copy' ? change(`${inner}(${value})`) : `${inner}(${change(value)})`;
  }

  #hasInside(at: TargetNode): boolean {
    return at.keys.size > 0 || at.items !== null || at.anyKey !== null;
  }

  #functionFor(at: TargetNode, name = this.#nextName()): string {
    const body = [
      ...this.#arrayLines(at),
      ...this.#ordinaryLines(at),
      ...this.#keyLines(at),
      ...this.#anyKeyLines(at),
    ];
    const lines = [
      ...(at.steps.length === 0 ? [] : [commentOn(at.pattern)]),
      `function ${name}(value) {`,
      "  if (typeof value !== 'object' || value === null) return value;",
      ...body.map((line) => `  ${line}`),
      '}',
    ];
    this.functions.push(lines.join('\n'));
    return name;
  }

  #nextName(): string {
    return `${this.way === 'copy' ? 'rewrite' : 'restore'}${++this.#named}`;
  }

  #arrayLines(at: TargetNode): string[] {
    if (at.items === null) return [];
    const item = this.expression(at.items, 'item');
    if (this.way === 'copy') return [`if (Array.isArray(value)) return value.map((item) => ${item});`];
    return [
      'if (Array.isArray(value)) {',
      `  value.forEach((item, i) => { value[i] = ${item}; });`,
      '  return value;',
      '}',
    ];
  }

  /** Spreading anything but an ordinary object would lose what is not a property. */
  #ordinaryLines(at: TargetNode): string[] {
    const isDoubtful = at.anyKey !== null || [...at.keys.keys()].some((key) => OWN_ELSEWHERE.test(key));
    return isDoubtful
      ? [`if (Object.prototype.toString.call(value) !== '[object Object]') return value;`]
      : [];
  }

  #isThere(key: string, object: string): string {
    return `Object.hasOwn(${object}, ${literal(key)})`;
  }

  /** A value without any of the keys is left as it is: it may be of another kind at the same place. */
  #keyLines(at: TargetNode): string[] {
    const keys = [...at.keys];
    if (keys.length === 0) return at.anyKey === null ? ['return value;'] : [];
    const object = this.way === 'copy' ? 'copy' : 'value';
    const changes = keys.map(
      ([key, child]) =>
        `if (${this.#isThere(key, object)}) ${object}${member(key)} = ${this.expression(child, `${object}${member(key)}`)};`,
    );
    if (this.way === 'in-place') return [...changes, 'return value;'];
    if (keys.length === 1) return this.#oneKeyLines(...keys[0]!);
    const none = keys.map(([key]) => `!${this.#isThere(key, 'value')}`).join(' && ');
    return [`if (${none}) return value;`, 'const copy = { ...value };', ...changes, 'return copy;'];
  }

  #oneKeyLines(key: string, child: TargetNode): string[] {
    return [
      `if (!${this.#isThere(key, 'value')}) return value;`,
      `return { ...value, ${propertyName(key)}: ${this.expression(child, `value${member(key)}`)} };`,
    ];
  }

  #anyKeyLines(at: TargetNode): string[] {
    if (at.anyKey === null || at.keys.size > 0) return [];
    const changed = this.expression(at.anyKey, 'value[key]');
    const define = `Object.defineProperty(copy, key, { value: ${changed}, enumerable: true, configurable: true, writable: true })`;
    return [
      'const copy = {};',
      'for (const key of Object.keys(value)) {',
      `  if (key === ${literal('__proto__')}) ${define};`,
      `  else copy[key] = ${changed};`,
      '}',
      'return copy;',
    ];
  }
}

function declare(name: string, targets: readonly RewriteTarget[], way: Way): string {
  return new Writer(way).declaration(trieOf(targets), name);
}

/** Declares a function that copies the containers on the way to the targets and nothing else. */
export const declareToMessage = (targets: readonly RewriteTarget[], name = 'toMessage') =>
  declare(name, targets, 'copy');
/** Declares a function that changes what was received in place. */
export const declareFromMessage = (targets: readonly RewriteTarget[], name = 'fromMessage') =>
  declare(name, targets, 'in-place');
