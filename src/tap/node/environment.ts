/** The tap in the environments of workers and children that have one of their own. */
import { types } from 'node:util';
import {
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  ownKeys,
  slice,
  startsWith,
} from '../intrinsics.ts';

const NAME = 'NODE_OPTIONS';

/** What the tap was started with: `--require "<folder>/tap.cjs"`. */
export class TapOptions {
  readonly #option: string;

  constructor(folder: string) {
    const { NODE_OPTIONS: given = '' } = process.env;
    const end = indexOf(given, 'tap.cjs"');
    const isOurs = startsWith(given, '--require "') && end > 0;
    this.#option = isOurs ? slice(given, 0, end + 8) : `--require "${folder}/tap.cjs"`;
  }

  with(options: string | undefined): string {
    if (options === undefined || options === '') return this.#option;
    return indexOf(options, this.#option) < 0 ? `${this.#option} ${options}` : options;
  }

  /** Into the `NAME=value` pairs of a child. */
  intoPairs(pairs: unknown): void {
    if (typeof pairs !== 'object' || pairs === null) return;
    const list = pairs as string[];
    for (let i = 0; i < list.length; i++) {
      const pair = list[i];
      if (typeof pair !== 'string' || !startsWith(pair, `${NAME}=`)) continue;
      list[i] = `${NAME}=${this.with(slice(pair, NAME.length + 1))}`;
      return;
    }
    list[list.length] = `${NAME}=${this.with(undefined)}`;
  }

  /**
   * Options of a worker or of a child that is waited for: a copy where they have an environment without the tap. Nothing of
   * the program's is run or changed.
   */
  intoOptions(options: unknown): unknown {
    if (typeof options !== 'object' || options === null || types.isProxy(options)) return options;
    const env = dataOf(options, 'env');
    if (typeof env !== 'object' || env === null || types.isProxy(env) || env === process.env) return options;
    const given = dataOf(env, NAME);
    const wanted = this.with(typeof given === 'string' ? given : undefined);
    return wanted === given ? options : withProperty(options, 'env', withProperty(env, NAME, wanted));
  }
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
