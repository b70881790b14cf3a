import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import type { BrowserName } from '../../model/names.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { filesAt, foundProgram, onPath } from '../process/binaries.ts';
import type { Environment } from '../process/kinds.ts';
import { runToEnd } from '../process/supervisor.ts';
import { commandOf } from './browser.ts';
import { BROWSERS, type BrowserKind, type BrowserProgram } from './kinds.ts';

const FAMILIES = Object.entries(BROWSERS) as [BrowserName, BrowserKind][];

/** Names for `-r`. */
export const BROWSER_SPECS: readonly string[] = FAMILIES.flatMap(([, { programs }]) => Object.keys(programs));

/** Real browsers that this tool cannot start. */
const OTHERS = /^(safari|epiphany|gnome-web|opera|vivaldi|librewolf|webkitgtk)\b/i;
const OTHER_DETAIL =
  'It cannot be started. Supported are chromium, chrome, edge, brave, firefox, and MiniBrowser of WebKitGTK (-r webkit)';

/** Advice for a browser that cannot be started; empty for any other name. */
export const otherBrowserDetail = (name: string): { detail?: string } =>
  OTHERS.test(name) ? { detail: OTHER_DETAIL } : {};

/** The browser of each name for `-r`: chrome is of the family chromium. */
const familyOf = (name: string): [BrowserName, BrowserKind] | null =>
  FAMILIES.find(([, { programs }]) => Object.hasOwn(programs, name)) ?? null;

export const isBrowserSpec = (name: string): boolean => familyOf(name) !== null;

/** A place with its variables replaced; null if a variable is not set. */
export function expanded(place: string, env: Environment): string | null {
  let known = true;
  const path = place.replace(/%([^%]+)%/g, (_, name: string) => {
    known &&= Boolean(env[name]);
    return env[name] ?? '';
  });
  return known ? path : null;
}

/** Binaries of one program: first what is on PATH. */
function* binariesOf({ commands, places }: BrowserProgram, env: Environment, cwd: string) {
  for (const command of commands) {
    for (const binary of onPath(command, env, cwd)) yield { binary, from: 'PATH' };
  }
  for (const place of places[process.platform] ?? []) {
    const path = expanded(place, env);
    for (const binary of path === null ? [] : filesAt(path)) yield { binary, from: 'installed' };
  }
}

const TIMEOUT_MS = 15_000;

async function askVersion(binary: string, kind: BrowserKind): Promise<string | null> {
  if (process.platform === 'win32') {
    const beside = kind.versionBeside?.(readdirSync(dirname(binary))) ?? null;
    if (beside !== null) return beside;
  }
  const env = { ...process.env, XAUTHORITY: undefined };
  const command = commandOf(kind, binary, ['--version']);
  const { stdout, stderr } = await runToEnd(...command, { cwd: '/', env, timeoutMs: TIMEOUT_MS });
  return kind.versionIn(`${stdout}\n${stderr}`);
}

/** Every installed version of a program that may be started, each version once. */
async function* installed(name: string, env: Environment, cwd: string): AsyncGenerator<FoundRuntime> {
  const [family, kind] = familyOf(name)!;
  const versions = new Set<string>();
  for (const { binary, from } of binariesOf(kind.programs[name]!, env, cwd)) {
    const version = await askVersion(binary, kind);
    if (version === null || versions.has(version)) continue;
    versions.add(version);
    yield foundProgram(name, { name: family, version, binary, from }, kind.oldest);
  }
}

/** `chromium@156`: all that is said of the version must be so. */
export const isVersion = (version: string, wanted: string | undefined): boolean =>
  wanted === undefined || `${version}.`.startsWith(`${wanted}.`);

/** @throws ToolError 'runtime-missing' */
export async function findBrowser(spec: string, env: Environment, cwd: string): Promise<FoundRuntime> {
  const [name = '', wanted] = spec.split('@');
  const [family = '', { programs } = { programs: {} }] = familyOf(name) ?? [];
  const others: string[] = [];
  for (const program of name === family ? Object.keys(programs) : [name]) {
    for await (const browser of installed(program, env, cwd)) {
      if (isVersion(browser.version, wanted)) return browser;
      others.push(browser.spec);
    }
  }
  const here = others.length === 0 ? 'it is not installed' : `found: ${others.join(', ')}`;
  const needs = family === 'webkit' ? '. It needs MiniBrowser of WebKitGTK, and Xvfb' : '';
  const detail = `${here}; browsers are never fetched: install it, or name the path of its binary${needs}`;
  throw new ToolError('runtime-missing', { value: spec, detail });
}

/** Which browser a binary is; null for any other program. */
export async function browserAt(binary: string): Promise<FoundRuntime | null> {
  for (const [family, kind] of FAMILIES) {
    const commands = Object.values(kind.programs).flatMap((program) => program.commands);
    // Only a kind with a command gets a separate display.
    if (kind.command && !commands.includes(basename(binary))) continue;
    const version = await askVersion(binary, kind);
    if (version !== null)
      return foundProgram(family, { name: family, version, binary, from: 'path given' }, kind.oldest);
  }
  return null;
}

/** All that are installed. */
export async function listBrowsers(env: Environment, cwd: string): Promise<FoundRuntime[]> {
  const all = async (name: string) => {
    const browsers: FoundRuntime[] = [];
    for await (const browser of installed(name, env, cwd)) browsers.push(browser);
    return browsers;
  };
  return (await Promise.all(BROWSER_SPECS.map(all))).flat();
}
