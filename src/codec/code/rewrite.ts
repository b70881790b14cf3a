/** Code for the values at paths: functions that rewrite them, expressions that name them, their transfer list. */
import { formatPath, type PathStep, parsePath } from '../../value/read/paths.ts';
import { isReachable, type PatternRows } from '../remedies/facts/shape-index.ts';
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

/** Writes code that calls a function for the value at each path. @param call its name, or a name for the index of a path */
const writer = (mode: RewriteMode) => (paths: readonly string[], call: string | ((at: number) => string)) =>
  new FunctionWriter(mode).code(buildTrie(paths, typeof call === 'string' ? () => call : call));

export const toMessageCode = writer('copy');

export const fromMessageCode = writer('in-place');

export const awaitedFromMessageCode = writer('awaited');

// One expression at a path of plain keys. For any other value there it throws, or gives an equal result. Plans for it have
// a field `inline`. Proofs, timing and modules use functions instead, which accept values of any form.

/** Maximum length of the path; beyond it, functions are easier to read. */
const MAX_KEYS = 3;

/** True if all steps are plain keys. `__proto__` is excluded: in an object literal it would set the prototype. */
export const hasPlainKeys = ({ steps }: PatternRows): boolean =>
  steps.every((step) => step.type === 'key' && step.key !== '__proto__');

/** True if exactly one value is at the path, in one row, and an expression can name it. */
export const isInline = (at: PatternRows): boolean =>
  at.count === 1 && at.rows.length === 1 && at.steps.length <= MAX_KEYS && hasPlainKeys(at);

/** @throws TypeError for a path that `isInline` excludes */
export function plainKeys(path: string): string[] {
  return parsePath(path)!.map((step) => {
    if (step.type === 'key' && step.key !== '__proto__') return step.key;
    throw new TypeError(`${path} does not lead to one value`);
  });
}

/** `payload.image.data` */
export const readAt = (from: string, keys: readonly string[]): string => from + keys.map(member).join('');

/** `{ ...payload, data: payload.data.slice() }`: copies the containers on the path, with a new value at its end. */
export function replacedAt(path: string, change: (expression: string) => string): string {
  const keys = plainKeys(path);
  return keys.reduceRight(
    (inner, key, depth) =>
      `{ ...${readAt('payload', keys.slice(0, depth))}, ${propertyName(key)}: ${inner} }`,
    change(readAt('payload', keys)),
  );
}

/** True if code can read the values at the path; entries of Maps and Sets are included. */
export function canCollect(path: string): boolean {
  return parsePath(path)?.every((step) => step.type !== 'deeper' && step.type !== 'cut') ?? false;
}

/** Access to a property that may be absent. `__proto__` is read only as an own property. */
function property(value: string, key: string): string {
  if (key === '__proto__') return `Object.getOwnPropertyDescriptor(${value} ?? {}, ${literal(key)})?.value`;
  return `${value}?.${member(key).replace(/^\./, '')}`;
}

function loop(step: PathStep, value: string, item: string): string {
  // An array without a prototype has no iterator.
  if (step.type === 'index')
    return `if (Array.isArray(${value})) for (const ${item} of Array.prototype.values.call(${value}))`;
  if (step.type !== 'entry') return `for (const ${item} of Object.values(${value} ?? {}))`;
  const type = step.part === 'member' ? 'Set' : 'Map';
  const method = step.part === 'key' ? 'keys' : 'values';
  return `if (${value} instanceof ${type}) for (const ${item} of ${value}.${method}())`;
}

function statement(path: string, pick: string): string {
  const steps = parsePath(path)!;
  let value = steps.length === 0 ? 'message' : 'parts';
  const loops: string[] = [];
  for (const step of steps)
    if (step.type === 'key') value = property(value, step.key);
    else {
      const item = `item${loops.length + 1}`;
      loops.push(loop(step, value, item));
      value = item;
    }
  return [...loops, `add(${pick}(${value}));`]
    .map((line, depth) => `${'  '.repeat(depth + 1)}${line}`)
    .join('\n');
}

/** Type of values that may be absent: it lets the code follow a path in any payload. */
const PARTS = '  /*type Parts = { [key: string]: Parts } | undefined; */';

/** Declares `transferList(message)`: the buffers that `pick` finds at the paths, once each, as engines demand. */
export function declareTransferList(paths: readonly string[], pick: string, type = 'Payload'): string {
  const isBelow = paths.some((path) => path !== '$');
  return [
    `export function transferList(message/*: ${type} */)/*: ArrayBuffer[] */ {`,
    ...(isBelow ? [PARTS, '  const parts = message/*as unknown as Parts */;'] : []),
    '  const found = new Set/*<ArrayBuffer> */();',
    '  const add = (buffer/*: ArrayBuffer | null */) => {',
    '    if (buffer !== null) found.add(buffer);',
    '  };',
    ...paths.map((path) => statement(path, pick)),
    '  return [...found];',
    '}',
  ].join('\n');
}
