import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseRuntimeSpec } from '../../core/runtime-spec.ts';
import { ToolError } from '../../model/errors.ts';
import { PROCESS_RUNTIMES, type ProcessRuntime, RUNTIME_NAMES } from '../../model/names.ts';
import type { FoundRuntime, FoundRuntimes, MissingRuntime } from '../../model/runtime.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import { notStartable } from '../driver.ts';
import { foundRuntime } from '../found-runtime.ts';
import type { Environment } from '../process/kind.ts';
import { isProcessRuntime, KINDS } from '../process/kinds.ts';
import type { ProvisionOptions } from '../provision/provision.ts';
import { inNodeModules, isBinary, onPath } from './binaries.ts';
import { identify } from './identify.ts';

export interface FindOptions extends ProvisionOptions {
  cwd: string;
  env: Environment;
  /** Fetches a version that is not on this machine; default: through npm into the user's cache. */
  provision?: (spec: string, options: ProvisionOptions) => Promise<FoundRuntime>;
}

const running = (): FoundRuntime => foundRuntime(runningRuntime(), process.execPath, 'running');

/** Every binary of this name on the machine. Each is identified only when the caller asks for it. */
export async function* binariesOf(name: ProcessRuntime, options: FindOptions): AsyncGenerator<FoundRuntime> {
  const self = running();
  if (self.name === name) yield self;
  const candidates = [
    ...onPath(name, options.env).map((binary) => ({ binary, from: 'PATH' })),
    ...inNodeModules(KINDS[name], options.cwd).map((binary) => ({ binary, from: 'node_modules' })),
  ];
  for (const { binary, from } of candidates) {
    const identity = await identify(binary);
    // `bun --bun run` puts a "node" on PATH that is Bun.
    if (identity?.name === name) yield foundRuntime(identity, binary, from);
  }
}

async function provisioned(spec: string, options: FindOptions, offline: boolean): Promise<FoundRuntime> {
  const provision = options.provision ?? (await import('../provision/provision.ts')).provision;
  const { onNote: _, ...silent } = options;
  return provision(spec, offline ? { ...silent, offline } : options);
}

/** Any version on the machine, else in the cache. Nothing is fetched. */
async function anyVersion(name: ProcessRuntime, options: FindOptions): Promise<FoundRuntime> {
  for await (const candidate of binariesOf(name, options)) return candidate;
  try {
    return await provisioned(name, options, true);
  } catch {
    const detail = `it is not on PATH and not in node_modules; fetch it with: clone-prof runtimes add ${name}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
}

async function wantedVersion(
  name: ProcessRuntime,
  wanted: string,
  spec: string,
  options: FindOptions,
): Promise<FoundRuntime> {
  const { satisfies } = await import('../provision/versions.ts');
  const range = wanted.replace(/^v(?=\d)/, '');
  for await (const candidate of binariesOf(name, options)) {
    if (satisfies(candidate.version, range)) return candidate;
  }
  return provisioned(spec, options, options.offline ?? false);
}

async function atPath(spec: string, { cwd }: FindOptions): Promise<FoundRuntime> {
  const binary = resolve(cwd, spec);
  if (!isBinary(binary)) {
    throw new ToolError('runtime-missing', { value: spec, detail: 'there is no program at that path' });
  }
  const identity = await identify(binary);
  if (!identity) throw new ToolError('runtime-unknown', { path: spec, names: PROCESS_RUNTIMES });
  return foundRuntime(identity, binary, 'path given');
}

/** Returns the search for a spec. @throws ToolError 'runtime-unknown' before anything is searched */
function searchFor(spec: string, options: FindOptions): () => Promise<FoundRuntime> {
  if (/[\\/]/.test(spec)) return () => atPath(spec, options);
  const { name, wanted } = parseRuntimeSpec(spec);
  if (isProcessRuntime(name)) {
    return () => (wanted ? wantedVersion(name, wanted, spec.trim(), options) : anyVersion(name, options));
  }
  if (!RUNTIME_NAMES.some((known) => known === name)) {
    throw new ToolError('runtime-unknown', { value: spec, names: PROCESS_RUNTIMES });
  }
  return () => Promise.reject(notStartable(spec));
}

/** The running one, and each other one on PATH. */
async function defaults(options: FindOptions): Promise<FoundRuntime[]> {
  const self = running();
  const others = PROCESS_RUNTIMES.filter((name) => name !== self.name && name !== 'node');
  const found = await Promise.all(
    others.map(async (name) => {
      for await (const candidate of binariesOf(name, options)) {
        return candidate.from === 'PATH' ? candidate : null;
      }
      return null;
    }),
  );
  return [self, ...found.filter((runtime) => runtime !== null)];
}

/** Each binary once, also when several links lead to it. */
export function uniqueBinaries(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary }) => realpathSync(binary));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}

/**
 * Finds the runtimes of the specs: `node`, `bun@1.3.14`, `deno@2`, the path of a binary. Without specs: the running one,
 * plus bun and deno when on PATH. A version that is missing is fetched through npm, unless `offline`.
 *
 * @throws ToolError 'runtime-unknown' for a name or a program that is not a runtime, 'interrupted'
 */
export async function findRuntimes(specs: string[], options: FindOptions): Promise<FoundRuntimes> {
  if (specs.length === 0) return usable(await defaults(options), []);
  const found: FoundRuntime[] = [];
  const missing: MissingRuntime[] = [];
  const searches = specs.map((spec) => searchFor(spec, options));
  const results = await Promise.allSettled(searches.map((search) => search()));
  for (const [i, result] of results.entries()) {
    if (result.status === 'fulfilled') {
      found.push(result.value);
      continue;
    }
    const error: unknown = result.reason;
    if (!(error instanceof ToolError) || error.code === 'runtime-unknown' || error.code === 'interrupted')
      throw error;
    missing.push({ spec: specs[i]!, error });
  }
  return usable(found, missing);
}

/** Too old ones are missing, each under the version that was found. */
function usable(all: FoundRuntime[], missing: readonly MissingRuntime[]): FoundRuntimes {
  const unique = uniqueBinaries(all);
  const old = unique.flatMap(({ spec, name, binary, needs }): MissingRuntime[] => {
    if (needs === undefined) return [];
    const facts = { value: spec, path: binary, detail: `${name}@${needs}` };
    return [{ spec, error: new ToolError('runtime-too-old', facts) }];
  });
  return { found: unique.filter(({ needs }) => needs === undefined), missing: [...missing, ...old] };
}
