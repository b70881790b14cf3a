/**
 * The registry that a package comes from, read where npm reads its settings, without a start of npm. npm gets this address as its
 * only registry, so that every package which the cache holds under the address came from there.
 */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectFolders } from '../../machine/folders.ts';
import { startOf } from '../../machine/given-file.ts';
import type { Environment } from '../process/kind.ts';
import { type NpmOptions, npmScript } from './npm-program.ts';

type Settings = ReadonlyMap<string, string>;

const DEFAULT_REGISTRY = 'https://registry.npmjs.org/';
const NAMES_REGISTRY = /^npm_config_(@[^:]+:)?registry$/i;
const onWindows = process.platform === 'win32';

/** Address of the registry of a package, which may hold credentials. */
export function registryOf(packageName: string, options: NpmOptions): string {
  const env = userEnvironment(options);
  const script = npmScript(options.env, options.cwd);
  const builtIn = script === null ? new Map() : settingsIn(join(dirname(script), '..', 'npmrc'), env);
  const layers: Settings[] = [variables(env)];
  const value = (name: string): string | undefined =>
    [...layers, builtIn].map((layer) => layer.get(name)).find((text) => text !== undefined);
  const project = options.projectNpmrc ? projectSettingsFile(options.cwd) : null;
  if (project !== null) layers.push(settingsIn(project, env));
  layers.push(settingsIn(value('userconfig') ?? join(env.HOME || homedir(), '.npmrc'), env));
  const nodeFolder = dirname(process.execPath);
  const prefix = value('prefix') ?? env.PREFIX ?? (onWindows ? nodeFolder : dirname(nodeFolder));
  layers.push(settingsIn(value('globalconfig') ?? join(prefix, 'etc', 'npmrc'), env));
  return value(scopeSetting(packageName)) ?? value('registry') ?? DEFAULT_REGISTRY;
}

/** Environment in which npm uses the registry of `registryOf` for the package. */
export function npmEnvironment(packageName: string, options: NpmOptions): Environment {
  const env = Object.entries(userEnvironment(options)).filter(([name]) => !NAMES_REGISTRY.test(name));
  const registry = registryOf(packageName, options);
  return {
    ...Object.fromEntries(env),
    ...{ npm_config_registry: registry, [`npm_config_${scopeSetting(packageName)}`]: registry },
  };
}

/** The address as it is printed: without credentials and without a query. */
export const withoutCredentials = (address: string): string => {
  if (!URL.canParse(address)) return 'an address that cannot be read';
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname.replace(/\/*$/, '/')}`;
};

/** The nearest `.npmrc` of the project of `cwd`; null if there is none. */
export function projectSettingsFile(cwd: string): string | null {
  const files = projectFolders(cwd).map((folder) => join(folder, '.npmrc'));
  return files.find((file) => existsSync(file)) ?? null;
}

/**
 * The environment without the project's `.npmrc`: a package manager that started this program has read it, and passes all
 * settings on as `npm_config_*`. Variables that the user sets are in capitals by custom.
 */
export function userEnvironment({
  env,
  projectNpmrc,
}: Pick<NpmOptions, 'env' | 'projectNpmrc'>): Environment {
  const isBelowPackageManager = env.npm_execpath || env.npm_command || env.npm_lifecycle_event;
  if (!isBelowPackageManager || projectNpmrc) return env;
  const passedOn = onWindows ? /^npm_config_/i : /^npm_config_/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !passedOn.test(name)));
}

/** "@oven:registry"; "registry" for a package without a scope. */
const scopeSetting = (packageName: string): string => {
  const scope = /^(@[^/]+)\//.exec(packageName)?.[1];
  return scope === undefined ? 'registry' : `${scope}:registry`;
};

/** npm ignores the case of a variable, and variables that are empty. */
function variables(env: Environment): Settings {
  const settings = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value && /^npm_config_/i.test(name))
      settings.set(name.slice('npm_config_'.length).toLowerCase(), value);
  }
  return settings;
}

const LINE =
  /^\s*"?((?:@[^:\s"]+:)?registry|userconfig|globalconfig|prefix)"?\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s;#]+))/gm;

/** The settings in a file that decide on a registry. `${NAME}` and `${NAME?}` stand for variables. */
function settingsIn(file: string, env: Environment): Settings {
  const settings = new Map<string, string>();
  for (const [, name = '', ...values] of (startOf(file) ?? '').matchAll(LINE)) {
    const text = values.find((value) => value !== undefined) ?? '';
    settings.set(
      name,
      text.replace(/\$\{(\w+)(\??)\}/g, (whole, key, mark) => env[key] ?? (mark ? '' : whole)),
    );
  }
  return settings;
}
