/** Which version a spec means: exact, range, "latest" or another tag of the platform package. */
import semver from 'semver';
import { parseRuntimeSpec } from '../../core/runtime-spec.ts';
import { ToolError } from '../../model/errors.ts';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';
import { isProcessRuntime, PROCESS_RUNTIMES } from '../process/kinds.ts';
import { type Env, type NpmOptions, npmJson } from './npm.ts';

/** "bun@1.4": a name and the wanted version; "latest" when none is given. */
export interface Wanted {
  spec: string;
  name: ProcessRuntime;
  wanted: string;
}

export interface Published {
  versions: string[];
  tags: Record<string, string>;
}

const SHOWN = 5;

/** @throws ToolError `runtime-unknown` for a name that npm does not provide. */
export function parseSpec(spec: string): Wanted {
  const { name, wanted = '' } = parseRuntimeSpec(spec);
  if (!isProcessRuntime(name)) {
    throw new ToolError('runtime-unknown', { value: spec, names: PROCESS_RUNTIMES });
  }
  const version = semver.clean(wanted);
  return { spec, name, wanted: version ?? (wanted.trim() || 'latest') };
}

/** True when `wanted` names versions by number: these can be answered from the cache without asking anybody. */
export function isNumeric(wanted: string): boolean {
  return semver.validRange(wanted) !== null;
}

export function satisfies(version: string, wanted: string): boolean {
  return version === wanted || semver.satisfies(version, wanted);
}

/** Newest first; prereleases (canaries) only when named exactly. */
export function newestSatisfying(versions: readonly string[], wanted: string): string | null {
  if (versions.includes(wanted)) return wanted;
  return semver.maxSatisfying(stable(versions), wanted === 'latest' ? '*' : wanted);
}

/**
 * "latest" is the highest stable version and not the tag: the tag of a platform package is what was published last,
 * which may be a fix of an old line.
 * @throws ToolError `version-unknown`
 */
export function chooseVersion({ spec, name, wanted }: Wanted, { versions, tags }: Published): string {
  const tagged = wanted === 'latest' ? undefined : tags[wanted];
  const chosen = tagged ?? newestSatisfying(versions, wanted);
  if (chosen !== null) return chosen;
  const newest = newestFirst(stable(versions)).slice(0, SHOWN);
  throw new ToolError('version-unknown', { value: spec, detail: name, names: newest });
}

/** Whatever is no version is left out. */
export function newestFirst(versions: readonly string[]): string[] {
  return semver.rsort(versions.filter((version) => semver.valid(version) === version));
}

function stable(versions: readonly string[]): string[] {
  return versions.filter((version) => semver.valid(version) && semver.prerelease(version) === null);
}

/** By environment, which names the registry. */
const asked = new WeakMap<Env, Map<string, Promise<Published>>>();

/** What is published of a package; npm is asked once per process. @throws NpmFailure, ToolError */
export function published(packageName: string, options: NpmOptions): Promise<Published> {
  const answers = asked.get(options.env) ?? new Map<string, Promise<Published>>();
  asked.set(options.env, answers);
  const known = answers.get(packageName);
  if (known) return known;
  const answer = npmJson(['view', packageName, 'versions', 'dist-tags'], options).then(publishedFrom);
  answers.set(packageName, answer);
  answer.catch(() => answers.delete(packageName));
  return answer;
}

/** npm prints one version as a string and several as an array. */
function publishedFrom(printed: unknown): Published {
  const { versions, 'dist-tags': tags } = printed as { versions?: string | string[]; 'dist-tags'?: object };
  return { versions: [versions ?? []].flat(), tags: (tags ?? {}) as Record<string, string> };
}
