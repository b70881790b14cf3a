import { resolve } from 'node:path';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import { isUsageCode, ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES, RUNTIME_NAMES, type RuntimeName } from '../../model/names.ts';
import type { FoundRuntime, FoundRuntimes, LinkOptions, MissingRuntime } from '../../model/run/runtime.ts';
import { BROWSER_PROGRAMS, BROWSERS, type BrowserProgram } from '../browser/kinds.ts';
import { type Invitation, openInvitation } from '../browser/tabs.ts';
import {
  ask,
  filesAt,
  foundProgram,
  inProject,
  isBinary,
  onPath,
  running,
  uniqueBinaries,
} from '../process/binaries.ts';
import {
  type Ask,
  type Environment,
  isProgramRuntime,
  type ProgramKind,
  RUNTIME_KINDS,
} from '../process/kinds.ts';
import {
  listCached,
  type ProvisionOptions,
  parseSpec,
  provision as provisionByNpm,
  satisfies,
} from '../provision/provision.ts';

/** Spec of a browser in which a user opens a link. */
const LINK_SPEC = 'url';

const isLink = (spec: string): boolean => spec.trim() === LINK_SPEC;

export interface FindOptions extends ProvisionOptions {
  cwd: string;
  env: Environment;
  link?: LinkOptions | undefined;
  /** Fetches a version that is not on this machine; default: through npm into the user's cache. */
  provision?: (spec: string, options: ProvisionOptions) => Promise<FoundRuntime>;
}

const KINDS: Readonly<Record<RuntimeName, ProgramKind>> = { ...RUNTIME_KINDS, ...BROWSERS };

/** A name for `-r`: a runtime, or a program of a family of browsers (Chrome is one of Chromium). */
interface Program extends BrowserProgram {
  name: string;
  runtime: RuntimeName;
}

const PROGRAMS: readonly Program[] = [
  ...PROGRAM_RUNTIMES.map((name) => ({ name, runtime: name, commands: [name], places: {} })),
  ...BROWSER_PROGRAMS,
];

/** A family's name stands for each of its programs. */
const programsNamed = (name: string): Program[] =>
  PROGRAMS.filter((program) => program.name === name || program.runtime === name);

/** Windows installs programs for all users, or for one. */
const WINDOWS_FOLDERS = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'];

export const placesOf = (
  { places }: Pick<BrowserProgram, 'places'>,
  env: Environment,
  platform = process.platform,
): readonly string[] => {
  const paths = places[platform] ?? [];
  if (platform !== 'win32') return paths;
  return WINDOWS_FOLDERS.flatMap((name) => (env[name] ? paths.map((path) => `${env[name]}\\${path}`) : []));
};

/** Empty if the binary is a different program. */
async function known(
  { name, runtime }: Omit<Program, keyof BrowserProgram>,
  binary: string,
  from: string,
  by: Ask = ask,
) {
  const { oldest, version: told } = KINDS[runtime];
  const version = await told(binary, by);
  return version === null ? [] : [foundProgram(name, { name: runtime, version, binary, from }, oldest)];
}

/**
 * Every binary of these programs, the installed ones of each first. Each is started for its version: `bun --bun run` puts a "node" on
 * PATH that is Bun. @param asked the user named the runtime: then the project's own programs count too, with a note
 */
async function* binariesOf(
  programs: readonly Program[],
  { env, cwd, onNote }: FindOptions,
  asked: boolean,
): AsyncGenerator<FoundRuntime> {
  for (const program of programs) {
    const { name, runtime, commands } = program;
    const self = running();
    if (self.name === runtime) yield self;
    for (const command of commands)
      for (const binary of onPath(command, env, cwd)) yield* await known(program, binary, 'PATH');
    for (const path of placesOf(program, env))
      for (const binary of filesAt(path)) yield* await known(program, binary, 'installed');
    for (const binary of asked && isProgramRuntime(runtime) ? inProject(runtime, env, cwd) : []) {
      onNote?.(`${name} was asked for: running the project's own ${binary}`);
      yield* await known(program, binary, 'node_modules');
    }
  }
}

export async function identify(binary: string): Promise<FoundRuntime | null> {
  const answers = new Map<string, Promise<string>>();
  // Most kinds ask the same, and a browser takes a while to answer.
  const askOnce: Ask = (file, args, env) => {
    const key = [file, ...args].join('\0');
    const answer = answers.get(key) ?? ask(file, args, env);
    answers.set(key, answer);
    return answer;
  };
  for (const runtime of Object.keys(KINDS) as RuntimeName[])
    for (const found of await known({ name: runtime, runtime }, binary, 'path given', askOnce)) return found;
  return null;
}

async function atPath(spec: string, { cwd }: FindOptions): Promise<FoundRuntime> {
  const binary = resolve(cwd, spec);
  if (!isBinary(binary)) {
    throw new ToolError('runtime-missing', { value: spec, detail: 'there is no program at that path' });
  }
  const found = await identify(binary);
  if (found) return found;
  throw new ToolError('runtime-unknown', { binary: spec, names: RUNTIME_NAMES });
}

/** A path, unless it begins like a version: `bun@../x` names no file. */
const isPath = (spec: string) => /[\\/]/.test(spec) && !isProgramRuntime(parseRuntimeSpec(spec).name);

/** `chromium@156` names all versions that begin so. */
export const isVersion = (version: string, wanted: string | undefined): boolean =>
  wanted === undefined || `${version}.`.startsWith(`${wanted}.`);

/** null if a default runtime is not installed. */
type Search = (link: Invitation | null) => Promise<FoundRuntime | null>;

/** @throws ToolError 'runtime-unknown', 'version-malformed' before anything is searched */
function searchFor(spec: string, options: FindOptions): Search {
  if (isLink(spec)) return (link) => invited(link, options);
  if (isPath(spec)) return () => atPath(spec, options);
  const { name, wanted } = parseRuntimeSpec(spec);
  const programs = programsNamed(name);
  const [first] = programs;
  if (first === undefined) {
    const names = [...PROGRAM_RUNTIMES, ...BROWSER_PROGRAMS.map((one) => one.name), LINK_SPEC];
    throw new ToolError('runtime-unknown', { value: spec, names });
  }
  const isFetched = isProgramRuntime(first.runtime);
  const range = isFetched && wanted ? parseSpec(spec).wanted : null;
  const isFit = (version: string) =>
    range === null ? isFetched || isVersion(version, wanted) : satisfies(version, range);
  return async () => {
    const others: string[] = [];
    for await (const candidate of binariesOf(programs, options, true)) {
      if (isFit(candidate.version)) return candidate;
      others.push(candidate.spec);
    }
    return isFetched ? provisioned(spec.trim(), options) : notInstalled(spec.trim(), first.runtime, others);
  };
}

async function invited(link: Invitation | null, { onNote, signal }: FindOptions): Promise<FoundRuntime> {
  if (link === null) {
    const detail = 'only analyze and sweep wait for a browser';
    throw new ToolError('runtime-missing', { value: LINK_SPEC, detail });
  }
  const runtime = await link.next(signal);
  onNote?.(`${runtime.spec} has joined by the link`);
  return runtime;
}

/** Nothing is fetched if the user names no version. */
async function provisioned(spec: string, options: FindOptions): Promise<FoundRuntime> {
  const { provision = provisionByNpm } = options;
  const { name, wanted } = parseRuntimeSpec(spec);
  const { onNote: _, ...silent } = options;
  if (wanted) return provision(spec, options.offline ? silent : options);
  try {
    return await provision(name, { ...silent, offline: true });
  } catch {
    const installedBy = isProgramRuntime(name) ? RUNTIME_KINDS[name].installedBy : undefined;
    const how = installedBy
      ? `install it in the project: ${installedBy}`
      : `fetch it with: npx clone-prof runtimes add ${name}`;
    const detail = `it is not on PATH and not in the project's node_modules; ${how}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
}

function notInstalled(value: string, family: RuntimeName, others: readonly string[]): never {
  const here = others.length === 0 ? 'it is not installed' : `found: ${[...new Set(others)].join(', ')}`;
  const needs = family === 'webkit' ? '. It needs MiniBrowser of WebKitGTK, and Xvfb' : '';
  const detail = `${here}; browsers are never fetched: install it, or name the path of its binary${needs}`;
  throw new ToolError('runtime-missing', { value, detail });
}

function defaultSearches(options: FindOptions): Search[] {
  const self = running();
  const others = ['bun', 'deno'].filter((name) => name !== self.name);
  const installed = async (name: string): Promise<FoundRuntime | null> => {
    for await (const binary of binariesOf(programsNamed(name), options, false)) return binary;
    return null;
  };
  return [async () => self, ...others.map((name) => () => installed(name))];
}

/** Too old ones are missing, each under the version that was found. */
function usable(all: FoundRuntime[], missing: readonly MissingRuntime[]): FoundRuntimes {
  const unique = uniqueBinaries(all);
  const old = unique.flatMap(({ spec, name, binary, needs }): MissingRuntime[] => {
    if (needs === undefined) return [];
    const facts = { runtime: spec, binary, oldest: `${name}@${needs}` };
    return [{ spec, error: new ToolError('runtime-too-old', facts) }];
  });
  return { found: unique.filter(({ needs }) => needs === undefined), missing: [...missing, ...old] };
}

/**
 * Finds the runtimes of the specs: `node`, `bun@1.3.14`, `deno@2`, the path of a binary. Without specs: the running
 * one, plus bun and deno if they are installed on PATH. A missing version is fetched through npm, unless `offline`.
 * @throws ToolError 'runtime-unknown' for a name or a program that is not a runtime, 'version-malformed', 'interrupted'
 */
export async function findRuntimes(specs: string[], options: FindOptions): Promise<FoundRuntimes> {
  const found: FoundRuntime[] = [];
  const missing: MissingRuntime[] = [];
  const searches =
    specs.length === 0 ? defaultSearches(options) : specs.map((spec) => searchFor(spec, options));
  const browsers = specs.filter(isLink).length;
  const link = browsers > 0 && options.link ? await openInvitation(browsers, options.link) : null;
  const results = await Promise.allSettled(searches.map((search) => search(link)));
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') found.push(...(result.value ? [result.value] : []));
    else {
      const error: unknown = result.reason;
      if (!(error instanceof ToolError) || error.code === 'interrupted' || isUsageCode(error.code))
        throw error;
      missing.push({ spec: specs[i]!, error });
    }
  }
  return { ...usable(found, missing), ...(link && { endLink: () => link.end() }) };
}

/** Every runtime on the machine, too old ones included: running, on PATH, in the cache; also the browsers. */
export async function listRuntimes(options: FindOptions): Promise<FoundRuntime[]> {
  const found = PROGRAMS.map(async (program) => {
    const all: FoundRuntime[] = [];
    for await (const runtime of binariesOf([program], options, false)) all.push(runtime);
    return all;
  });
  const cached = await listCached(options.env);
  const all = uniqueBinaries([...(await Promise.all(found)).flat(), ...cached]);
  // A script and the binary that it starts may both be at the places of a browser.
  const keys = all.map(({ spec, from }) => `${spec} ${from}`);
  return all.filter((_, i) => keys.indexOf(keys[i]!) === i);
}
