/**
 * Which registry npm asks for a package. npm takes most of a second to say so; its answer is remembered as long as what it
 * was read from has not changed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import { ensureFolder } from './cache.ts';
import { type NpmOptions, npmCommand, npmJson, oncePerProcess, ownSettings } from './npm.ts';

/** `npm-settings.json` in the cache. */
interface RememberedSettings {
  /** Of the environment, the npm client and the files. */
  key: string;
  /** What npm read. */
  files: string[];
  /** Settings of npm that name a registry, without credentials. */
  registries: Record<string, string>;
}

/** npm's own default. */
const PUBLIC = 'https://registry.npmjs.org/';

/** Without npm nothing can be fetched, and what came from the public registry is used. @throws NpmFailure, ToolError */
export async function registryOf(packageName: string, options: NpmOptions): Promise<string> {
  const registries = await oncePerProcess(options, 'registries', () => registriesOf(options)).catch(
    withoutNpm,
  );
  const scope = /^(@[^/]+)\//.exec(packageName)?.[1];
  return registries[`${scope}:registry`] ?? registries.registry ?? PUBLIC;
}

function withoutNpm(error: unknown): Record<string, string> {
  if (error instanceof ToolError && error.code === 'npm-missing') return {};
  throw error;
}

async function registriesOf(options: NpmOptions): Promise<Record<string, string>> {
  if (options.projectNpmrc) return registriesIn(await npmSettings(options));
  const file = join(options.cache, 'npm-settings.json');
  const remembered = await readRemembered(file);
  if (remembered && remembered.key === keyOf(remembered.files, options)) return remembered.registries;
  const settings = await npmSettings(options);
  const registries = registriesIn(settings);
  const files = filesOf(settings, options);
  // What stands in the variables of a file is not known here.
  if (!files.some((one) => textOf(one).includes('${'))) {
    await ensureFolder(options.cache);
    const answer: RememberedSettings = { key: keyOf(files, options), files, registries };
    await writeFile(file, `${JSON.stringify(answer, null, 2)}\n`, { mode: 0o600 });
  }
  return registries;
}

type Settings = Record<string, unknown>;

const npmSettings = async (options: NpmOptions): Promise<Settings> =>
  ((await npmJson(['config', 'list'], options)) ?? {}) as Settings;

function registriesIn(settings: Settings): Record<string, string> {
  const named = Object.entries(settings).filter(([name]) => /^(@[^:]+:)?registry$/.test(name));
  return Object.fromEntries(named.map(([name, url]) => [name, withoutCredentials(String(url))]));
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

function filesOf({ userconfig, globalconfig }: Settings, { env, cwd }: NpmOptions): string[] {
  const script = npmCommand(env, cwd).at(-1) ?? '';
  const files = [userconfig, globalconfig, join(dirname(script), '..', 'npmrc')];
  return files.filter((file) => typeof file === 'string');
}

const COUNTS = /^(npm_config_.*|prefix|home|userprofile|appdata)$/i;

/** Changes when npm might answer otherwise. */
function keyOf(files: readonly string[], { env, cwd }: NpmOptions): string {
  const variables = Object.entries(ownSettings(env)).filter(([name]) => COUNTS.test(name));
  const facts = [npmCommand(env, cwd), variables.sort(), files.map((file) => [file, stampOf(file)])];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

function stampOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size}` : null;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

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
