import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime } from '../../model/runtime.ts';
import type { RuntimeName } from '../../model/words.ts';
import { runningRuntime } from '../../probe/running-runtime.ts';
import type { Env } from '../process/guest-env.ts';
import { BINARY_RUNTIMES, type BinaryRuntime, isBinaryRuntime, KINDS } from '../process/kinds.ts';
import type { ProvisionOptions } from '../provision/provision.ts';
import { inNodeModules, isBinary, onPath } from './binaries.ts';
import { type Identity, identify } from './identify.ts';

export interface FindWorld {
  cwd: string;
  env: Env;
  offline?: boolean;
  onNote?: (text: string) => void;
  signal?: AbortSignal;
  /** Gets a version that is not on this machine; npm into the user's cache by default. */
  provision?: (spec: string, options: ProvisionOptions) => Promise<FoundRuntime>;
}

export interface FoundRuntimes {
  found: FoundRuntime[];
  /** Known, but not here: a result, not an exception. */
  missing: { spec: string; error: ToolError }[];
}

const BROWSERS = ['chromium', 'firefox', 'webkit'] as const satisfies readonly RuntimeName[];

function foundAt(binary: string, { name, version }: Identity, from: string): FoundRuntime {
  return { name, version, engine: KINDS[name].engine, spec: `${name}@${version}`, binary, from };
}

/** The runtime that runs this very program. */
function running(): FoundRuntime {
  return foundAt(process.execPath, runningRuntime(), 'running');
}

/** Every binary of this name that is on the machine, the likeliest first; each is asked only when it is looked at. */
export async function* here(name: BinaryRuntime, world: FindWorld): AsyncGenerator<FoundRuntime> {
  const self = running();
  if (self.name === name) yield self;
  const places = [
    ...onPath(name, world.env).map((binary) => ({ binary, from: 'PATH' })),
    ...inNodeModules(KINDS[name], world.cwd).map((binary) => ({ binary, from: 'node_modules' })),
  ];
  for (const { binary, from } of places) {
    const identity = await identify(binary);
    // `bun --bun run` puts a "node" on PATH that is Bun.
    if (identity?.name === name) yield foundAt(binary, identity, from);
  }
}

async function provisioned(spec: string, world: FindWorld, offline: boolean): Promise<FoundRuntime> {
  const provision = world.provision ?? (await import('../provision/provision.ts')).provision;
  const { cwd, env, onNote, signal } = world;
  return provision(spec, {
    cwd,
    env,
    offline,
    ...(onNote && !offline ? { onNote } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** A plain name: whatever version is here, the cache last. Nothing is fetched for it. */
async function anyVersion(name: BinaryRuntime, world: FindWorld): Promise<FoundRuntime> {
  for await (const candidate of here(name, world)) return candidate;
  try {
    return await provisioned(name, world, true);
  } catch {
    const detail = `it is not on PATH and not in node_modules; fetch it with: clone-prof runtimes add ${name}`;
    throw new ToolError('runtime-missing', { value: name, detail });
  }
}

async function thatVersion(
  name: BinaryRuntime,
  wanted: string,
  spec: string,
  world: FindWorld,
): Promise<FoundRuntime> {
  const { satisfies } = await import('../provision/versions.ts');
  const range = wanted.replace(/^v(?=\d)/, '');
  for await (const candidate of here(name, world)) {
    if (satisfies(candidate.version, range)) return candidate;
  }
  return provisioned(spec, world, world.offline ?? false);
}

async function atPath(spec: string, { cwd }: FindWorld): Promise<FoundRuntime> {
  const binary = resolve(cwd, spec);
  if (!isBinary(binary)) {
    throw new ToolError('runtime-missing', { value: spec, detail: 'there is no program at that path' });
  }
  const identity = await identify(binary);
  if (!identity) throw new ToolError('runtime-unknown', { path: spec, names: BINARY_RUNTIMES });
  return foundAt(binary, identity, 'path given');
}

/** How a spec is to be looked for. @throws ToolError 'runtime-unknown' at once, before anything is looked for */
function planFor(spec: string, world: FindWorld): () => Promise<FoundRuntime> {
  if (/[\\/]/.test(spec)) return () => atPath(spec, world);
  const [, name = '', wanted] = /^([^@]*)(?:@(.*))?$/s.exec(spec.trim()) ?? [];
  if (isBinaryRuntime(name)) {
    return () => (wanted ? thatVersion(name, wanted, spec.trim(), world) : anyVersion(name, world));
  }
  if (!(BROWSERS as readonly string[]).includes(name)) {
    throw new ToolError('runtime-unknown', { value: spec, names: BINARY_RUNTIMES });
  }
  const detail = 'only runtimes that are a program of their own can be started: node, bun, deno';
  return () => Promise.reject(new ToolError('runtime-missing', { value: spec, detail }));
}

/** The running one, and each other that is on PATH. */
async function defaults(world: FindWorld): Promise<FoundRuntime[]> {
  const self = running();
  const others = BINARY_RUNTIMES.filter((name) => name !== self.name && name !== 'node');
  const found = await Promise.all(
    others.map(async (name) => {
      for await (const candidate of here(name, world)) return candidate.from === 'PATH' ? candidate : null;
      return null;
    }),
  );
  return [self, ...found.filter((runtime) => runtime !== null)];
}

function withoutTwins(runtimes: FoundRuntime[]): FoundRuntime[] {
  const files = runtimes.map(({ binary }) => realpathSync(binary));
  return runtimes.filter((_, i) => files.indexOf(files[i]!) === i);
}

/**
 * Finds the runtimes that the specs mean: `node`, `bun@1.3.14`, `deno@2`, the path of a binary. No specs: the running
 * one, plus bun and deno when on PATH. A version that is not here is fetched through npm, unless `offline`.
 *
 * @throws ToolError 'runtime-unknown' for a name or a program that is no runtime, 'interrupted'
 */
export async function findRuntimes(specs: string[], world: FindWorld): Promise<FoundRuntimes> {
  if (specs.length === 0) return { found: withoutTwins(await defaults(world)), missing: [] };
  const found: FoundRuntime[] = [];
  const missing: FoundRuntimes['missing'] = [];
  const plans = specs.map((spec) => planFor(spec, world));
  const results = await Promise.allSettled(plans.map((find) => find()));
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
  return { found: withoutTwins(found), missing };
}
