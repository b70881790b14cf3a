import { basename, resolve } from 'node:path';
import { parseRuntimeSpec } from '../../core/versions.ts';
import { isUsageCode, ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES, type ProgramRuntime, RUNTIME_NAMES } from '../../model/names.ts';
import type {
  FoundRuntime,
  FoundRuntimes,
  LinkOptions,
  MissingRuntime,
  Visitors,
} from '../../model/run/runtime.ts';
import {
  BROWSER_SPECS,
  browserAt,
  findBrowser,
  isBrowserSpec,
  listBrowsers,
  otherBrowserDetail,
} from '../browser/find.ts';
import { type Invitation, openInvitation } from '../browser/link/invitation.ts';
import {
  foundRuntime,
  identify,
  inProject,
  isBinary,
  onPath,
  running,
  uniqueBinaries,
  usable,
} from '../process/binaries.ts';
import { type Environment, isProgramRuntime, RUNTIME_KINDS } from '../process/kinds.ts';
import type { ProvisionOptions } from '../provision/provision.ts';

/** Spec of a browser in which a user opens a link. */
const LINK_SPEC = 'url';

interface InviteOptions {
  link?: LinkOptions | undefined;
  onNote?: (text: string) => void;
  signal?: AbortSignal | undefined;
}

type InvitedBrowsers = ReturnType<typeof invitedBrowsers>;

/** All browsers that are expected at one link. The link is made when the first browser is requested. */
function invitedBrowsers(wanted: number) {
  let asked = 0;
  let opened: Promise<Invitation> | null = null;
  return {
    /** @throws ToolError 'runtime-missing' when none has come in time, 'interrupted', 'usage' */
    async next({ link, onNote, signal }: InviteOptions): Promise<FoundRuntime> {
      const which = wanted === 1 ? 'a browser' : `browser ${++asked} of ${wanted}`;
      if (!link) {
        const detail = 'only analyze and sweep wait for a browser';
        throw new ToolError('runtime-missing', { value: LINK_SPEC, detail });
      }
      opened ??= openInvitation(wanted, link);
      const runtime = await (await opened).next(which, link.timeoutMs, signal);
      onNote?.(`${runtime.spec} has joined by the link`);
      return runtime;
    },
    visitors: async (): Promise<{ visitors?: Visitors }> =>
      opened === null ? {} : { visitors: (await opened).visitors },
  };
}

export interface FindOptions extends ProvisionOptions {
  cwd: string;
  env: Environment;
  /** The folder that guests will work in; default: cwd. */
  guestsIn?: string;
  /** Some payloads are modules. */
  forModules?: boolean;
  /** For `url`: the link that browsers are waited for at. */
  link?: LinkOptions | undefined;
  /** Fetches a version that is not on this machine; default: through npm into the user's cache. */
  provision?: (spec: string, options: ProvisionOptions) => Promise<FoundRuntime>;
}

/**
 * Every binary of this name that may be started, the installed ones first. Each is identified, which starts it, only when
 * the caller asks for it.
 *
 * @param asked the user named the runtime: then the project's own programs count too, with a note
 */
async function* binariesOf(
  name: ProgramRuntime,
  options: FindOptions,
  asked: boolean,
): AsyncGenerator<FoundRuntime> {
  const { env, cwd, onNote } = options;
  const self = running();
  if (self.name === name) yield self;
  for (const binary of onPath(name, env, cwd)) yield* identified(name, binary, 'PATH');
  for (const binary of asked ? inProject(name, RUNTIME_KINDS[name], env, cwd) : []) {
    onNote?.(`${name} was asked for: running the project's own ${binary}`);
    yield* identified(name, binary, 'node_modules');
  }
}

/** `bun --bun run` puts a "node" on PATH that is Bun. */
async function* identified(name: ProgramRuntime, binary: string, from: string): AsyncGenerator<FoundRuntime> {
  const identity = await identify(binary);
  if (identity?.name === name) yield foundRuntime(identity, binary, from);
}

async function provisioned(spec: string, options: FindOptions, offline: boolean): Promise<FoundRuntime> {
  const provision = options.provision ?? (await import('../provision/provision.ts')).provision;
  const { onNote: _, ...silent } = options;
  return provision(spec, offline ? { ...silent, offline } : options);
}

/** Any version on the machine, else in the cache. Nothing is fetched. */
async function anyVersion(name: ProgramRuntime, options: FindOptions): Promise<FoundRuntime> {
  for await (const candidate of binariesOf(name, options, true)) return candidate;
  try {
    return await provisioned(name, options, true);
  } catch {
    const { installedBy } = RUNTIME_KINDS[name];
    const how = installedBy
      ? `install it in the project: ${installedBy}`
      : `fetch it with: clone-prof runtimes add ${name}`;
    const detail = `it is not on PATH and not in the project's node_modules; ${how}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
}

async function wantedVersion(
  name: ProgramRuntime,
  wanted: string,
  spec: string,
  options: FindOptions,
): Promise<FoundRuntime> {
  const { satisfies } = await import('../provision/versions.ts');
  for await (const candidate of binariesOf(name, options, true)) {
    if (satisfies(candidate.version, wanted)) return candidate;
  }
  return provisioned(spec, options, options.offline ?? false);
}

async function atPath(spec: string, { cwd }: FindOptions): Promise<FoundRuntime> {
  const binary = resolve(cwd, spec);
  if (!isBinary(binary)) {
    throw new ToolError('runtime-missing', { value: spec, detail: 'there is no program at that path' });
  }
  const identity = await identify(binary);
  if (identity) return foundRuntime(identity, binary, 'path given');
  const browser = await browserAt(binary);
  if (browser) return browser;
  const facts = { binary: spec, names: RUNTIME_NAMES, ...otherBrowserDetail(basename(binary)) };
  throw new ToolError('runtime-unknown', facts);
}

/** A path, unless it begins like a version: `bun@../x` names no file. */
const isPath = (spec: string) => /[\\/]/.test(spec) && !isProgramRuntime(parseRuntimeSpec(spec).name);

/** Returns the search. @throws ToolError 'runtime-unknown', 'version-malformed' before anything is searched */
async function searchFor(
  spec: string,
  options: FindOptions,
  link: InvitedBrowsers,
): Promise<() => Promise<FoundRuntime>> {
  if (spec.trim() === LINK_SPEC) return () => link.next(options);
  if (isPath(spec)) return () => atPath(spec, options);
  const { name, wanted } = parseRuntimeSpec(spec);
  if (isProgramRuntime(name)) {
    if (!wanted) return () => anyVersion(name, options);
    const { parseSpec } = await import('../provision/versions.ts');
    const { wanted: version } = parseSpec(spec);
    return () => wantedVersion(name, version, spec.trim(), options);
  }
  if (!isBrowserSpec(name)) {
    const names = [...PROGRAM_RUNTIMES, ...BROWSER_SPECS, LINK_SPEC];
    throw new ToolError('runtime-unknown', { value: spec, names, ...otherBrowserDetail(name) });
  }
  return () => findBrowser(spec.trim(), options.env, options.cwd);
}

/** The running runtime, and each other installed runtime. */
async function defaults(options: FindOptions): Promise<FoundRuntime[]> {
  const self = running();
  const others = (['bun', 'deno'] as const).filter((name) => name !== self.name);
  const found = await Promise.all(
    others.map(async (name) => {
      for await (const candidate of binariesOf(name, options, false)) return candidate;
      return null;
    }),
  );
  return [self, ...found.filter((runtime) => runtime !== null)];
}

/**
 * Finds the runtimes of the specs: `node`, `bun@1.3.14`, `deno@2`, the path of a binary. Without specs: the running
 * one, plus bun and deno if they are installed on PATH. A missing version is fetched through npm, unless `offline`.
 *
 * @throws ToolError 'runtime-unknown' for a name or a program that is not a runtime, 'version-malformed', 'interrupted'
 */
export async function findRuntimes(specs: string[], options: FindOptions): Promise<FoundRuntimes> {
  if (specs.length === 0) return noting(usable(await defaults(options), []), options);
  const found: FoundRuntime[] = [];
  const missing: MissingRuntime[] = [];
  const link = invitedBrowsers(specs.filter((spec) => spec.trim() === LINK_SPEC).length);
  const searches = await Promise.all(specs.map((spec) => searchFor(spec, options, link)));
  const results = await Promise.allSettled(searches.map((search) => search()));
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') found.push(result.value);
    else {
      const error: unknown = result.reason;
      if (!(error instanceof ToolError) || error.code === 'interrupted' || isUsageCode(error.code))
        throw error;
      missing.push({ spec: specs[i]!, error });
    }
  }
  return { ...noting(usable(found, missing), options), ...(await link.visitors()) };
}

/** Says which files of the project the guests of modules will read. */
function noting(runtimes: FoundRuntimes, { forModules, guestsIn, cwd, onNote }: FindOptions): FoundRuntimes {
  for (const { name, spec } of forModules ? runtimes.found : []) {
    const file = isProgramRuntime(name) && RUNTIME_KINDS[name].configFile?.(guestsIn ?? cwd);
    if (file) onNote?.(`modules on ${spec} are resolved by ${file}`);
  }
  return runtimes;
}

/** Every runtime on the machine, too old ones included: running, on PATH, in the cache; also the browsers. */
export async function listRuntimes(options: FindOptions): Promise<FoundRuntime[]> {
  const all: FoundRuntime[] = [];
  for (const name of PROGRAM_RUNTIMES)
    for await (const runtime of binariesOf(name, options, false)) all.push(runtime);
  const { listCached } = await import('../provision/provision.ts');
  const browsers = await listBrowsers(options.env, options.cwd);
  return uniqueBinaries([...all, ...(await listCached({ env: options.env })), ...browsers]);
}
