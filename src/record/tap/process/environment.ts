/** Puts the tap into the environments of workers and children that are given separate ones. */

import type { ProcessTapSettings } from '../../../model/recording/settings.ts';
import { isUnreachable, NEEDED_RIGHTS, optionsEnd } from '../../command-options.ts';
import * as kept from '../realm/intrinsics.ts';
import { canBeRead, settings } from '../realm/platform.ts';
import * as log from '../records/thread-log.ts';

const OF_NODE = 'NODE_OPTIONS';
const { env: environment } = process;

const UNREACHABLE = `not recorded: --permission without ${NEEDED_RIGHTS[0]} and ${NEEDED_RIGHTS[1]}`;

/** Words of a command line before its script: texts, and lists of them. @param first as in `optionsEnd` */
function lineOf(words: unknown, first = 1): string {
  if (typeof words === 'string') return `${words} `;
  let line = '';
  if (!kept.isArray(words)) return line;
  const list: readonly unknown[] = words;
  const end = optionsEnd(list, first);
  for (let i = 0; i < end; i++) line += lineOf(list[i], 0);
  return line;
}

/**
 * Adds the options that start the recorder to the `NAME=value` pairs of a child, or removes them if the child could not
 * load the tap: then it returns false. @param words of its command line
 */
export function intoPairs(pairs: unknown, words: unknown): boolean {
  if (!kept.isArray(pairs)) return true;
  const list = pairs as string[];
  const read = (name: string) => {
    const at = indexIn(list, name);
    return at < 0 ? undefined : kept.slice(list[at]!, name.length + 1);
  };
  return into(words, read, (name, value) => setIn(list, name, value));
}

/**
 * Options of a worker or of a child: a copy if they have an environment without the tap, or with it and the child could
 * not load it. Nothing of the program's is run or changed.
 */
export function intoOptions(options: unknown, words?: unknown): unknown {
  const own = canBeRead(options) ? options : {};
  const given = kept.dataOf(own, 'env');
  const before = canBeRead(given) ? given : environment;
  let env = before;
  const read = (name: string) => {
    const value = kept.dataOf(env, name);
    return typeof value === 'string' ? value : undefined;
  };
  into(words, read, (name, value) => {
    env = withProperty(env, name, value);
  });
  return env === before ? options : withProperty(own, 'env', env);
}

type Variable = string | undefined;

function into(words: unknown, get: (name: string) => Variable, set: (name: string, value: Variable) => void) {
  const can = !isUnreachable(lineOf(words) + lineOf(get(OF_NODE)));
  if (!can) log.gap(UNREACHABLE);
  // The child may be of a different runtime.
  const { environment: variables } = settings as ProcessTapSettings;
  for (let i = 0; i < variables.length; i++) {
    const { name, option } = variables[i]!;
    const given = get(name);
    const wanted = can || name !== OF_NODE ? withOption(option, given) : withoutOption(option, given);
    if (wanted !== given) set(name, wanted);
  }
  return can;
}

function withOption(option: string, options: Variable): string {
  if (options === undefined || options === '') return option;
  return kept.indexOf(options, option) < 0 ? `${option} ${options}` : options;
}

/** undefined if the variable held only this option. */
function withoutOption(option: string, options: Variable): Variable {
  const at = options === undefined ? -1 : kept.indexOf(options, option);
  if (options === undefined || at < 0) return options;
  const end = at + option.length;
  const rest = kept.slice(options, 0, at) + kept.slice(options, options[end] === ' ' ? end + 1 : end);
  return rest === '' ? undefined : rest;
}

function indexIn(list: readonly unknown[], name: string): number {
  for (let i = 0; i < list.length; i++) {
    const pair = list[i];
    if (typeof pair === 'string' && kept.startsWith(pair, `${name}=`)) return i;
  }
  return -1;
}

function setIn(list: string[], name: string, value: Variable): void {
  const at = indexIn(list, name);
  if (value !== undefined) list[at < 0 ? list.length : at] = `${name}=${value}`;
  if (value !== undefined || at < 0) return;
  for (let i = at; i + 1 < list.length; i++) list[i] = list[i + 1]!;
  list.length--;
}

/** A copy with this property; its getters stay getters. */
export function withProperty(original: object, key: string, value: unknown): object {
  const copy = kept.create(kept.getPrototypeOf(original)) as object;
  const keys = kept.ownKeys(original);
  for (let i = 0; i < keys.length; i++)
    kept.defineProperty(copy, keys[i]!, kept.getOwnPropertyDescriptor(original, keys[i]!)!);
  kept.setData(copy, key, value);
  return copy;
}
