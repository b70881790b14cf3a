import { execOn } from '../value/read/intrinsics.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;
/** Options whose argument is a module that is loaded before the program, or the text of a shell. */
const NO_SCRIPT = ['-c', '-r', '--require', '--import', '--loader', '--experimental-loader'];

/** It runs in recorded programs too, where built-ins may be the program's. */
const matches = (pattern: RegExp, text: string): boolean => execOn(pattern, text) !== null;

/** Words before the script of a command; all if there is none. @param first 0 in a list without the program */
export function optionsEnd(command: readonly unknown[], first = 1): number {
  for (let at = first; at < command.length; at++) {
    const word = command[at];
    if (typeof word !== 'string' || word[0] === '-' || !matches(SCRIPT, word)) continue;
    let isScript = true;
    for (let i = 0; i < NO_SCRIPT.length; i++) isScript &&= NO_SCRIPT[i] !== command[at - 1];
    if (isScript) return at;
  }
  return command.length;
}

const word = (flag: string) => new RegExp(`(?:^|[\\s'"\`();&|])${flag}(?=$|[\\s'"\`();&|])`);
const ASKS = word('--(?:experimental-)?permission');

export const NEEDED_RIGHTS = ['--allow-fs-read=*', '--allow-fs-write=*'] as const;
const NEEDED = [word('--allow-fs-read=\\*'), word('--allow-fs-write=\\*')] as const;

/** Under Node's permission model a program could not load the recorder, and would not start. @param line before the script */
export const isUnreachable = (line: string): boolean =>
  matches(ASKS, line) && !(matches(NEEDED[0], line) && matches(NEEDED[1], line));

export function permissionGap(command: readonly string[], nodeOptions = ''): string | null {
  const line = [...command.slice(0, optionsEnd(command)), nodeOptions].join(' ');
  if (!isUnreachable(line)) return null;
  return `The program runs with --permission: without ${NEEDED_RIGHTS.join(' and ')} nothing of it can be recorded.`;
}
