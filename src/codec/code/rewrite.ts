/** Code for the values at paths: functions that rewrite them, expressions that name them. */
import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { declared, type FunctionCode, literal, member, propertyName } from './javascript.ts';

class TargetNode {
  readonly steps: readonly PathStep[];
  readonly keys = new Map<string, TargetNode>();
  items: TargetNode | null = null;
  anyKey: TargetNode | null = null;
  /** Function whose result replaces the value. */
  call: string | null = null;

  constructor(steps: readonly PathStep[] = []) {
    this.steps = steps;
  }

  child(step: PathStep): TargetNode {
    const part = step.type === 'index' ? 'items' : 'anyKey';
    const known = step.type === 'key' ? this.keys.get(step.key) : this[part];
    const child = known ?? new TargetNode([...this.steps, step]);
    if (step.type === 'key') this.keys.set(step.key, child);
    else this[part] = child;
    return child;
  }
}

/** True if code can be generated for the path: through objects and arrays, not through keys that set a prototype. */
export const isReachable = (path: string): boolean =>
  parsePath(path)?.every(
    (step) =>
      step.type === 'any-key' ||
      (step.type === 'key' && step.key !== '__proto__') ||
      (step.type === 'index' && step.index === null),
  ) ?? false;

/** @param paths patterns of `key`, `[*]` and `.*` steps */
function buildTrie(paths: readonly string[], callOf: (at: number) => string): TargetNode {
  const root = new TargetNode();
  for (const [target, path] of paths.entries()) {
    if (!isReachable(path)) throw new TypeError(`no code can be generated for the path ${path}`);
    let at = root;
    for (const step of parsePath(path)!) at = at.child(step);
    at.call = callOf(target);
  }
  return root;
}

/** Own keys of arrays, boxed strings, RegExps and errors. An object with different keys is an ordinary object. */
const OWN_ELSEWHERE = /^(\d+|length|lastIndex|name|message|stack|cause|errors|line|column|sourceURL)$/;

/** A sender copies the containers on the path; a receiver changes them in place, or awaits values at the targets. */
type RewriteMode = 'copy' | 'in-place' | 'awaited';

const commentOn = (pattern: string) => `// ${literal(pattern).slice(1, -1).replaceAll('\\"', '"')}`;

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

  constructor(mode: RewriteMode) {
    this.#mode = mode;
  }

  code(root: TargetNode): Required<FunctionCode> {
    const isInside = hasInside(root) && root.call === null;
    const body = isInside ? this.#body(root) : `return ${this.#expression(root, 'value')};`;
    return { calls: this.#functions, takes: 'value', body };
  }

  /** Source of the rewritten value. The sender rewrites its inside first, the receiver last. */
  #expression(at: TargetNode, value: string): string {
    const inner = hasInside(at) ? this.#functionFor(at) : null;
    const rewrite = (text: string) => (at.call === null ? text : `${at.call}(${text})`);
    const wait = this.#mode === 'awaited' ? 'await ' : '';
    if (inner === null) return wait + rewrite(value);
    if (this.#mode === 'copy') return rewrite(`${inner}(${value})`);
    return `${wait}${inner}(${at.call ? wait : ''}${rewrite(value)})`;
  }

  #functionFor(at: TargetNode): string {
    const name = `${this.#mode === 'copy' ? 'rewrite' : 'restore'}${++this.#named}`;
    const code = declared(name, { takes: 'value', body: this.#body(at) }, this.#mode === 'awaited');
    this.#functions.push(at.steps.length === 0 ? code : `${commentOn(formatPath(at.steps))}\n${code}`);
    return name;
  }

  #body(at: TargetNode): string {
    const { keys, anyKey } = at;
    if (anyKey !== null && keys.size > 0)
      throw new TypeError(`${formatPath(at.steps)}.* also matches keys that are listed separately`);
    // Spreading any other object than an ordinary one would lose its internal slots.
    const isDoubtful = anyKey !== null || [...keys.keys()].some((key) => OWN_ELSEWHERE.test(key));
    return [
      'if (!isObject(value)) return value;',
      ...this.#arrayLines(at),
      ...(isDoubtful
        ? [`if (Object.prototype.toString.call(value) !== '[object Object]') return value;`]
        : []),
      ...(anyKey === null ? this.#keyLines([...keys]) : this.#anyKeyLines(anyKey)),
    ].join('\n');
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

  /** A value without rewritten keys is returned unchanged, because its kind may differ from the sample's. */
  #keyLines(keys: readonly [string, TargetNode][]): string[] {
    if (keys.length === 0) return ['return value;'];
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

  #anyKeyLines(child: TargetNode): string[] {
    const changed = this.#expression(child, 'value[key]');
    const define = `Object.defineProperty(copy, key, { value: ${changed}, enumerable: true, configurable: true, writable: true })`;
    return [
      'const copy/*: Record<string, unknown> */ = {};',
      'for (const key of Object.keys(value)) {',
      `  if (key === '__proto__') ${define};`,
      `  else copy[key] = ${changed};`,
      '}',
      'return copy;',
    ];
  }
}

/** Name of a function, or a name for the index of a path. */
type RewriteCall = string | ((at: number) => string);

/** Writes code that calls a function for the value at each path. */
const writer = (mode: RewriteMode) => (paths: readonly string[], call: RewriteCall) =>
  new FunctionWriter(mode).code(buildTrie(paths, typeof call === 'string' ? () => call : call));

export const toMessageCode = writer('copy');

export const fromMessageCode = writer('in-place');

export const awaitedFromMessageCode = writer('awaited');

/** Code of both ends: the sender converts the values at the paths, and the receiver converts them back in place. */
export const convertedAt = (paths: readonly string[], to: RewriteCall, from: RewriteCall) => ({
  sender: toMessageCode(paths, to),
  receiver: fromMessageCode(paths, from),
});

// One expression at a path of plain keys. For any other value there it throws, or gives an equal result. Plans for it have
// a field `inline`. Proofs, timing and modules use functions instead, which accept values of any form.

/** @throws TypeError for a path that `isInline` excludes */
export function plainKeys(path: string): string[] {
  return parsePath(path)!.map((step) => {
    if (step.type === 'key' && step.key !== '__proto__') return step.key;
    throw new TypeError(`${path} does not lead to one value`);
  });
}

/** `payload.image.data` */
export const readAt = (from: string, keys: readonly string[]): string => from + keys.map(member).join('');
