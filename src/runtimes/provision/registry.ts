/**
 * Which registry npm asks for a package. npm takes most of a second to say so; its answer is remembered as long as what it
 * was read from has not changed.
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import { ToolError } from '../../model/errors.ts';
import type { Environment } from '../process/kind.ts';
import { ensureFolder } from './cache.ts';
import { type NpmOptions, npmCommand, npmJson, oncePerProcess, ownSettings } from './npm.ts';

/** `npm-settings.json` in the cache. */
interface RememberedSettings {
  /** Identifies the environment, the npm client and the files. */
  key: string;
  /** What npm read. */
  files: string[];
  /** Settings of npm that name a registry, without credentials. */
  registries: Record<string, string>;
}

type Registries = RememberedSettings['registries'];

/** Without npm nothing can be fetched, and what came from its default registry is used. */
const DEFAULTS: Registries = { registry: 'https://registry.npmjs.org/' };

/** Its address without credentials; a sentence where npm does not tell it. @throws NpmFailure, ToolError */
export async function registryOf(packageName: string, options: NpmOptions): Promise<string> {
  const registries = await oncePerProcess(options, 'registries', () => registriesOf(options)).catch(
    withoutNpm,
  );
  const scope = /^(@[^/]+)\//.exec(packageName)?.[1];
  return registries[`${scope}:registry`] ?? registries.registry ?? '';
}

function withoutNpm(error: unknown): Registries {
  if (error instanceof ToolError && error.code === 'npm-missing') return DEFAULTS;
  throw error;
}

async function registriesOf(options: NpmOptions): Promise<Registries> {
  const file = join(options.cache, 'npm-settings.json');
  const remembered = options.projectNpmrc ? null : await readRemembered(file);
  if (remembered && remembered.key === settingsKey(remembered.files, options)) return remembered.registries;
  const settings = ((await npmJson(['config', 'list'], options)) ?? {}) as Settings;
  const files = filesOf(settings, options);
  const text = files.map(readText).join('\n');
  const answer = {
    key: settingsKey(files, options),
    files,
    registries: registriesIn(settings, text, options),
  };
  // What stands in the variables of a file is not known here.
  if (!options.projectNpmrc && !text.includes('${')) await remember(file, answer);
  return answer.registries;
}

async function remember(file: string, answer: RememberedSettings): Promise<void> {
  await ensureFolder(dirname(file));
  await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`, { mode: 0o600 });
}

/** As `npm config list` prints them. */
type Settings = Record<string, unknown>;

const NAMES_REGISTRY = /^\s*((?:@[^:\s]+:)?registry)\s*=/gm;

/** npm leaves out an address that holds credentials. What its files and variables name, and it leaves out, is such a one. */
function registriesIn(settings: Settings, text: string, { env }: NpmOptions): Registries {
  const variables = variablesOf(env).map(([name]) => `${name.replace(/^npm_config_/i, '')}=`);
  const named = [...`${text}\n${variables.join('\n')}`.matchAll(NAMES_REGISTRY)].map(([, name = '']) => name);
  const told = Object.keys(settings).filter((name) => `${name}=`.match(NAMES_REGISTRY));
  const secret = `a registry whose address holds credentials (${factsHash([text, variablesOf(env)]).slice(0, 8)})`;
  const address = (name: string) =>
    Object.hasOwn(settings, name) ? withoutCredentials(String(settings[name])) : secret;
  return Object.fromEntries(['registry', ...named, ...told].map((name) => [name, address(name)]));
}

/** Also without what is not part of a registry's address. */
function withoutCredentials(text: string): string {
  try {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname.replace(/\/*$/, '/')}`;
  } catch {
    return 'an address that cannot be read';
  }
}

function filesOf({ userconfig, globalconfig }: Settings, { env, cwd, projectNpmrc }: NpmOptions): string[] {
  const script = npmCommand(env, cwd).at(-1) ?? '';
  const project = projectNpmrc ? projectFolders(cwd).map((folder) => join(folder, '.npmrc')) : [];
  const files = [userconfig, globalconfig, join(dirname(script), '..', 'npmrc'), ...project];
  return files.filter((file) => typeof file === 'string');
}

const COUNTS = /^(npm_config_.*|prefix|home|userprofile|appdata)$/i;

const variablesOf = (env: Environment) =>
  Object.entries(ownSettings(env))
    .filter(([name]) => COUNTS.test(name))
    .sort();

const factsHash = (facts: unknown) => createHash('sha256').update(JSON.stringify(facts)).digest('hex');

/** Changes when npm might answer otherwise. */
const settingsKey = (files: readonly string[], { env, cwd }: NpmOptions): string =>
  factsHash([npmCommand(env, cwd), variablesOf(env), files.map((file) => [file, stampOf(file)])]);

function stampOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size}` : null;
}

const readText = (file: string): string => startOf(file) ?? '';

async function readRemembered(file: string): Promise<RememberedSettings | null> {
  try {
    const { key, files, registries } = JSON.parse(await readFile(file, 'utf8')) as RememberedSettings;
    return typeof key === 'string' && Array.isArray(files)
      ? { key, files, registries: { ...registries } }
      : null;
  } catch {
    return null;
  }
}
