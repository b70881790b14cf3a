import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { isReachable } from '../remedies/facts/shape-index.ts';
import { declared, type FunctionCode, literal, member, propertyName } from './javascript.ts';
import { IS_OBJECT } from './shared-declarations.ts';

/** Makes the source of an expression from the source of its operand: `x` -> `new Date(x)`. */
type ExpressionRewrite = (expression: string) => string;

/** A node in the trie of rewritten paths: it has either keys or `anyKey`. */
interface TargetNode {
  steps: readonly PathStep[];
  keys: ReadonlyMap<string, TargetNode>;
  items: TargetNode | null;
  anyKey: TargetNode | null;
  rewrite: ExpressionRewrite | null;
}

export interface RewriteTarget {
  /** Path pattern of `key`, `[*]` and `.*` steps. */
  path: string;
  rewrite: ExpressionRewrite;
}

/** Targets whose values are arguments of the function with this name. */
export const callTargets = (name: string, paths: readonly string[]): RewriteTarget[] =>
  paths.map((path) => ({ path, rewrite: (value) => `${name}(${value})` }));

interface TargetSteps extends Pick<RewriteTarget, 'rewrite'> {
  steps: readonly PathStep[];
}

function buildTrie(targets: readonly RewriteTarget[]): TargetNode {
  const all = targets.map(({ path, rewrite }): TargetSteps => {
    if (!isReachable(path)) throw new TypeError(`no code can be generated for the path ${path}`);
    return { steps: parsePath(path)!, rewrite };
  });
  return nodeAt([], all);
}

/** @param targets at and below the steps */
function nodeAt(steps: readonly PathStep[], targets: readonly TargetSteps[]): TargetNode {
  const keyOf = (step?: PathStep) => (step?.type === 'key' ? step.key : undefined);
  const below = (isWanted: (step: PathStep) => boolean): TargetNode | null => {
    const all = targets.filter((one) => one.steps.slice(steps.length, steps.length + 1).some(isWanted));
    const [first] = all;
    return first === undefined ? null : nodeAt(first.steps.slice(0, steps.length + 1), all);
  };
  const keys = new Set(targets.flatMap((one) => keyOf(one.steps[steps.length]) ?? []));
  const anyKey = below(({ type }) => type === 'any-key');
  if (anyKey !== null && keys.size > 0)
    throw new TypeError(`${formatPath(steps)}.* also matches keys that are listed separately`);
  return {
    steps,
    keys: new Map(Array.from(keys, (key) => [key, below((step) => keyOf(step) === key)!])),
    items: below(({ type }) => type === 'index'),
    anyKey,
    rewrite: targets.findLast((one) => one.steps.length === steps.length)?.rewrite ?? null,
  };
}

/** Own keys of arrays, boxed strings, RegExps and errors. An object with different keys is an ordinary object. */
const OWN_ELSEWHERE = /^(\d+|length|lastIndex|name|message|stack|cause|errors|line|column|sourceURL)$/;

/** A sender copies the containers on the path; a receiver changes them in place, or awaits values at the targets. */
type RewriteMode = 'copy' | 'in-place' | 'awaited';

function commentOn(pattern: string): string {
  return `// ${literal(pattern).slice(1, -1).replaceAll('\\"', '"')}`;
}

const isThere = (key: string, object: string): string => `Object.hasOwn(${object}, ${literal(key)})`;

/** To a compiler, all objects have these keys, with types from Object.prototype. */
const isInherited = (key: string): boolean => key in Object.prototype;

const ownValue = (object: string, key: string): string =>
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

  /** The function that rewrites the root. */
  code(root: TargetNode, calls: readonly string[]): Required<FunctionCode> {
    const isInside = hasInside(root) && root.rewrite === null;
    const body = isInside ? this.#body(root) : `return ${this.#expression(root, 'value')};`;
    const checks = this.#isReading ? [IS_OBJECT] : [];
    return { calls: [...calls, ...checks, ...this.#functions], takes: 'value', body };
  }

  /** Source of the rewritten value. The sender rewrites its inside first, the receiver last. */
  #expression(at: TargetNode, value: string): string {
    const inner = hasInside(at) ? this.#functionFor(at) : null;
    const rewrite = at.rewrite ?? ((text: string) => text);
    const wait = this.#mode === 'awaited' ? 'await ' : '';
    if (inner === null) return wait + rewrite(value);
    if (this.#mode === 'copy') return rewrite(`${inner}(${value})`);
    return `${wait}${inner}(${at.rewrite ? wait : ''}${rewrite(value)})`;
  }

  #functionFor(at: TargetNode): string {
    const name = `${this.#mode === 'copy' ? 'rewrite' : 'restore'}${++this.#named}`;
    const code = declared(name, { takes: 'value', body: this.#body(at) }, this.#mode === 'awaited');
    this.#functions.push(at.steps.length === 0 ? code : `${commentOn(formatPath(at.steps))}\n${code}`);
    return name;
  }

  #body(at: TargetNode): string {
    this.#isReading = true;
    const lines = [
      ...this.#arrayLines(at),
      ...this.#ordinaryLines(at),
      ...this.#keyLines(at),
      ...this.#anyKeyLines(at),
    ];
    return ['if (!isObject(value)) return value;', ...lines].join('\n');
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

  /** Spreading any other object than an ordinary one would lose its internal slots. */
  #ordinaryLines(at: TargetNode): string[] {
    const isDoubtful = at.anyKey !== null || [...at.keys.keys()].some((key) => OWN_ELSEWHERE.test(key));
    return isDoubtful
      ? [`if (Object.prototype.toString.call(value) !== '[object Object]') return value;`]
      : [];
  }

  /** A value without rewritten keys is returned unchanged, because its kind may differ from the sample's. */
  #keyLines(at: TargetNode): string[] {
    const keys = [...at.keys];
    if (keys.length === 0) return at.anyKey === null ? ['return value;'] : [];
    if (this.#mode === 'copy' && keys.length === 1) return this.#oneKeyLines(...keys[0]!);
    const object = this.#mode === 'copy' ? 'copy' : 'value';
    const changes = keys.map(
      ([key, child]) =>
        `if (${isThere(key, object)}) ${object}${member(key)} = ${this.#expression(child, ownValue(object, key))}${isInherited(key) ? '/*as never */' : ''};`,
    );
    if (this.#mode !== 'copy') return [...changes, 'return value;'];
    const none = keys.map(([key]) => `!${isThere(key, 'value')}`).join(' && ');
    return [`if (${none}) return value;`, 'const copy = { ...value };', ...changes, 'return copy;'];
  }

  #oneKeyLines(key: string, child: TargetNode): string[] {
    return [
      `if (!${isThere(key, 'value')}) return value;`,
      `return { ...value, ${propertyName(key)}: ${this.#expression(child, ownValue('value', key))} };`,
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

/** Code that copies the containers on the paths to the targets only. @param calls declarations that the targets call */
export const toMessageCode = (targets: readonly RewriteTarget[], calls: readonly string[] = []) =>
  new FunctionWriter('copy').code(buildTrie(targets), calls);

/** Code that changes the received value in place. */
export const fromMessageCode = (targets: readonly RewriteTarget[], calls: readonly string[] = []) =>
  new FunctionWriter('in-place').code(buildTrie(targets), calls);

/** The same for targets whose functions return promises. */
export const awaitedFromMessageCode = (targets: readonly RewriteTarget[], calls: readonly string[] = []) =>
  new FunctionWriter('awaited').code(buildTrie(targets), calls);
