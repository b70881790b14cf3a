/** The tap in the environments of workers and children that have one of their own. */
import { isReadable } from '../channels/workers.ts';
import {
  create,
  dataOf,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  indexOf,
  isArray,
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

  /**
   * Into the `NAME=value` pairs of a child; out of them where it could not load the tap.
   *
   * @param words of its command line @returns whether it can
   */
  intoPairs(pairs: unknown, words: ArrayLike<unknown>): boolean {
    if (typeof pairs !== 'object' || pairs === null) return true;
    const list = pairs as string[];
    const ofNode = this.#variables[0]!;
    const can = !isUnreachable(words, valueIn(list, ofNode.name) ?? '');
    for (let i = 0; i < this.#variables.length; i++) {
      const variable = this.#variables[i]!;
      const given = valueIn(list, variable.name);
      const isLeftOut = variable === ofNode && !can;
      setIn(list, variable.name, (isLeftOut ? withoutOption : withOption)(variable, given));
    }
    return can;
  }

  /** Options of a child that could not load the tap: with an environment without it. null for one that can. */
  withoutTap(options: unknown, words: ArrayLike<unknown>): object | null {
    const own = isReadable(options) ? options : {};
    const given = dataOf(own, 'env');
    const env = isReadable(given) ? given : environment;
    const { name, option } = this.#variables[0]!;
    const value = dataOf(env, name);
    const nodeOptions = typeof value === 'string' ? value : '';
    if (!isUnreachable(words, nodeOptions)) return null;
    return withProperty(own, 'env', withProperty(env, name, withoutOption({ name, option }, nodeOptions)));
  }

  /**
   * Options of a worker or of a child: a copy where they have an environment without the tap. Nothing of the program's is run
   * or changed.
   */
  intoOptions(options: unknown): unknown {
    if (!isReadable(options)) return options;
    const env = dataOf(options, 'env');
    if (!isReadable(env) || env === environment) return options;
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

/** undefined where there was nothing else. */
function withoutOption({ option }: Variable, options: string | undefined): string | undefined {
  const at = options === undefined ? -1 : indexOf(options, option);
  if (options === undefined || at < 0) return options;
  const end = at + option.length;
  const rest = slice(options, 0, at) + slice(options, options[end] === ' ' ? end + 1 : end);
  return rest === '' ? undefined : rest;
}

function indexIn(list: readonly unknown[], name: string): number {
  for (let i = 0; i < list.length; i++) {
    const pair = list[i];
    if (typeof pair === 'string' && startsWith(pair, `${name}=`)) return i;
  }
  return -1;
}

function valueIn(list: readonly string[], name: string): string | undefined {
  const at = indexIn(list, name);
  return at < 0 ? undefined : slice(list[at]!, name.length + 1);
}

function setIn(list: string[], name: string, value: string | undefined): void {
  const at = indexIn(list, name);
  if (value !== undefined) list[at < 0 ? list.length : at] = `${name}=${value}`;
  if (value !== undefined || at < 0) return;
  for (let i = at; i + 1 < list.length; i++) list[i] = list[i + 1]!;
  list.length--;
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

/** Under Node's permission model a program without all rights to files could not load the tap, and would not start. */
const FLAGS = ['--permission', '--experimental-permission'];
const NEEDED = ['--allow-fs-read=*', '--allow-fs-write=*'];

export const UNREACHABLE = 'not recorded: --permission without --allow-fs-read=* and --allow-fs-write=*';

/** @param words of a command line: texts, and lists of them; one may be a line of a shell @param options in NODE_OPTIONS */
function isUnreachable(words: ArrayLike<unknown>, options: string): boolean {
  const asks = (flag: string) => hasWord(options, flag) || someHas(words, flag);
  return (asks(FLAGS[0]!) || asks(FLAGS[1]!)) && !(asks(NEEDED[0]!) && asks(NEEDED[1]!));
}

function someHas(words: ArrayLike<unknown>, flag: string): boolean {
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (typeof word === 'string' ? hasWord(word, flag) : isArray(word) && someHas(word, flag)) return true;
  }
  return false;
}

function hasWord(text: string, word: string): boolean {
  for (let at = indexOf(text, word); at >= 0; at = indexOf(text, word, at + 1))
    if (isEdge(text, at - 1) && isEdge(text, at + word.length)) return true;
  return false;
}

/** An end of the text, white space, or what a shell reads as the end of a word. */
function isEdge(text: string, at: number): boolean {
  return at < 0 || at >= text.length || indexOf(' \t\n\'"`();&|', text[at]!) >= 0;
}
