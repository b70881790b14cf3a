import { buildTrie, type RewriteTarget, type TargetNode } from '../facts/target-trie.ts';
import { IS_OBJECT, literal, member, propertyName } from './javascript.ts';

/** Own keys of arrays, boxed strings, RegExps and errors; objects with other keys are ordinary objects. */
const OWN_ELSEWHERE = /^(\d+|length|lastIndex|name|message|stack|cause|errors|line|column|sourceURL)$/;

/** A sender copies the containers on the path; a receiver changes them in place, or waits for what stands there. */
type RewriteMode = 'copy' | 'in-place' | 'awaited';

function commentOn(pattern: string): string {
  return `// ${literal(pattern).slice(1, -1).replaceAll('\\"', '"')}`;
}

const isThere = (key: string, object: string): string => `Object.hasOwn(${object}, ${literal(key)})`;

/** For a compiler all objects have these keys, with types of their own. */
const isInherited = (key: string): boolean => key in Object.prototype;

const readAt = (object: string, key: string): string =>
  object + member(key) + (isInherited(key) ? '/*as unknown */' : '');

const hasInside = ({ keys, items, anyKey }: TargetNode): boolean =>
  keys.size > 0 || items !== null || anyKey !== null;

class FunctionWriter {
  readonly #mode: RewriteMode;
  readonly #functions: string[] = [];
  #named = 0;
  #isReading = false;

  constructor(mode: RewriteMode) {
    this.#mode = mode;
  }

  /** All functions, the one for the root last and under this name. */
  declaration(root: TargetNode, name: string): string {
    if (hasInside(root) && root.rewrite === null) this.#functionFor(root, name);
    else this.#functions.push(`${this.#head(name)} {\n  return ${this.#expression(root, 'value')};\n}`);
    return [...(this.#isReading ? [IS_OBJECT] : []), ...this.#functions].join('\n');
  }

  #head(name: string): string {
    return this.#mode === 'awaited'
      ? `async function ${name}(value)/*: Promise<unknown> */`
      : `function ${name}(value)`;
  }

  /** Source of the rewritten value: its inside is rewritten first when sending, last when receiving. */
  #expression(at: TargetNode, value: string): string {
    const inner = hasInside(at) ? this.#functionFor(at) : null;
    const rewrite = at.rewrite ?? ((text: string) => text);
    const wait = this.#mode === 'awaited' ? 'await ' : '';
    if (inner === null) return wait + rewrite(value);
    if (this.#mode === 'copy') return rewrite(`${inner}(${value})`);
    return `${wait}${inner}(${at.rewrite ? wait : ''}${rewrite(value)})`;
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
      `${this.#head(name)} {`,
      '  if (!isObject(value)) return value;',
      ...body.map((line) => `  ${line}`),
      '}',
    ];
    this.#functions.push(lines.join('\n'));
    this.#isReading = true;
    return name;
  }

  #nextName(): string {
    return `${this.#mode === 'copy' ? 'rewrite' : 'restore'}${++this.#named}`;
  }

  #arrayLines(at: TargetNode): string[] {
    if (at.items === null) return [];
    const item = this.#expression(at.items, 'item');
    if (this.#mode === 'copy') return [`if (Array.isArray(value)) return value.map((item) => ${item});`];
    return [
      'if (Array.isArray(value)) {',
      this.#mode === 'awaited'
        ? `  await Promise.all(value.map(async (item, i) => { value[i] = ${item}; }));`
        : `  value.forEach((item, i) => { value[i] = ${item}; });`,
      '  return value;',
      '}',
    ];
  }

  /** Spreading anything but an ordinary object would lose its internal slots. */
  #ordinaryLines(at: TargetNode): string[] {
    const isDoubtful = at.anyKey !== null || [...at.keys.keys()].some((key) => OWN_ELSEWHERE.test(key));
    return isDoubtful
      ? [`if (Object.prototype.toString.call(value) !== '[object Object]') return value;`]
      : [];
  }

  /** A value without any of the keys is returned unchanged: it may be of another kind than the sample. */
  #keyLines(at: TargetNode): string[] {
    const keys = [...at.keys];
    if (keys.length === 0) return at.anyKey === null ? ['return value;'] : [];
    if (this.#mode === 'copy' && keys.length === 1) return this.#oneKeyLines(...keys[0]!);
    const object = this.#mode === 'copy' ? 'copy' : 'value';
    const changes = keys.map(
      ([key, child]) =>
        `if (${isThere(key, object)}) ${object}${member(key)} = ${this.#expression(child, readAt(object, key))}${isInherited(key) ? '/*as never */' : ''};`,
    );
    if (this.#mode !== 'copy') return [...changes, 'return value;'];
    const none = keys.map(([key]) => `!${isThere(key, 'value')}`).join(' && ');
    return [`if (${none}) return value;`, 'const copy = { ...value };', ...changes, 'return copy;'];
  }

  #oneKeyLines(key: string, child: TargetNode): string[] {
    return [
      `if (!${isThere(key, 'value')}) return value;`,
      `return { ...value, ${propertyName(key)}: ${this.#expression(child, readAt('value', key))} };`,
    ];
  }

  #anyKeyLines(at: TargetNode): string[] {
    if (at.anyKey === null || at.keys.size > 0) return [];
    const changed = this.#expression(at.anyKey, 'value[key]');
    const define = `Object.defineProperty(copy, key, { value: ${changed}, enumerable: true, configurable: true, writable: true })`;
    return [
      'const copy/*: Record<string, unknown> */ = {};',
      'for (const key of Object.keys(value)) {',
      `  if (key === ${literal('__proto__')}) ${define};`,
      `  else copy[key] = ${changed};`,
      '}',
      'return copy;',
    ];
  }
}

/** Declares a function that copies the containers on the paths to the targets and nothing else. */
export const declareToMessage = (targets: readonly RewriteTarget[], name = 'toMessage') =>
  new FunctionWriter('copy').declaration(buildTrie(targets), name);

/** Declares a function that changes what was received in place. */
export const declareFromMessage = (targets: readonly RewriteTarget[], name = 'fromMessage') =>
  new FunctionWriter('in-place').declaration(buildTrie(targets), name);

/** The same, where what is called for the targets returns a promise. */
export const declareAwaitedFromMessage = (targets: readonly RewriteTarget[], name = 'fromMessage') =>
  new FunctionWriter('awaited').declaration(buildTrie(targets), name);
