/** The tap in the environments of workers and children that have one of their own. */
import { types } from 'node:util';
import {
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  lastIndexOf,
  ownKeys,
  slice,
  startsWith,
} from '../realm/intrinsics.ts';

/** What each kind of runtime starts the tap by, and how that ends. */
const VARIABLES = [
  { name: 'NODE_OPTIONS', start: '--require "', end: 'tap.cjs"' },
  { name: 'BUN_OPTIONS', start: '"--preload=', end: 'tap-bun.cjs"' },
];

interface Variable {
  name: string;
  option: string;
}

const { env: environment } = process;

/** As it was given to this process. */
function variableIn(folder: string, { name, start, end }: (typeof VARIABLES)[number]): Variable {
  const given = environment[name] ?? '';
  const at = indexOf(given, end);
  const isOurs = startsWith(given, start) && at > 0;
  return { name, option: isOurs ? slice(given, 0, at + end.length) : `${start}${folder}/${end}` };
}

/** What the tap is started with: a child may be of another runtime. */
export class TapOptions {
  readonly #variables: Variable[] = [];

  /** @param preload what this process was started with */
  constructor(preload: string) {
    const folder = slice(preload, 0, lastIndexOf(preload, '/'));
    for (let i = 0; i < VARIABLES.length; i++) this.#variables[i] = variableIn(folder, VARIABLES[i]!);
  }

  /** Into the `NAME=value` pairs of a child. */
  intoPairs(pairs: unknown): void {
    if (typeof pairs !== 'object' || pairs === null) return;
    for (let i = 0; i < this.#variables.length; i++) intoPairs(pairs as string[], this.#variables[i]!);
  }

  /**
   * Options of a worker or of a child: a copy where they have an environment without the tap. Nothing of the program's is run
   * or changed.
   */
  intoOptions(options: unknown): unknown {
    if (typeof options !== 'object' || options === null || types.isProxy(options)) return options;
    const env = dataOf(options, 'env');
    if (typeof env !== 'object' || env === null || types.isProxy(env) || env === environment) return options;
    let all = env;
    for (let i = 0; i < this.#variables.length; i++) {
      const { name } = this.#variables[i]!;
      const given = dataOf(all, name);
      const wanted = withOption(this.#variables[i]!, typeof given === 'string' ? given : undefined);
      if (wanted !== given) all = withProperty(all, name, wanted);
    }
    return all === env ? options : withProperty(options, 'env', all);
  }
}

function withOption({ option }: Variable, options: string | undefined): string {
  if (options === undefined || options === '') return option;
  return indexOf(options, option) < 0 ? `${option} ${options}` : options;
}

function intoPairs(list: string[], variable: Variable): void {
  const start = `${variable.name}=`;
  for (let i = 0; i < list.length; i++) {
    const pair = list[i];
    if (typeof pair !== 'string' || !startsWith(pair, start)) continue;
    list[i] = start + withOption(variable, slice(pair, start.length));
    return;
  }
  list[list.length] = start + withOption(variable, undefined);
}

/** A copy with this property; its getters stay getters. */
export function withProperty(original: object, key: string, value: unknown): object {
  const copy = create(getPrototypeOf(original)) as object;
  const keys = ownKeys(original);
  for (let i = 0; i < keys.length; i++)
    defineProperty(copy, keys[i]!, getOwnPropertyDescriptor(original, keys[i]!)!);
  defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}
