/** Which version a spec means: exact, range, "latest" or another tag of the platform package. */
import semver from 'semver';
import { parseRuntimeSpec } from '../../core/runtime-spec.ts';
import { ToolError } from '../../model/errors.ts';
import { PROCESS_RUNTIMES, type ProcessRuntime } from '../../model/names.ts';
import type { Environment } from '../process/kind.ts';
import { isProcessRuntime } from '../process/kinds.ts';
import { type NpmOptions, npmJson } from './npm.ts';

/** "bun@1.4": a name and the wanted version; "latest" when none is given. */
export interface WantedRuntime {
  spec: string;
  name: ProcessRuntime;
  wanted: string;
}

export interface PublishedVersions {
  versions: string[];
  tags: Record<string, string>;
}

const VERSIONS_SHOWN = 5;

/** @throws ToolError `runtime-unknown` for a name that npm does not provide. */
export function parseSpec(spec: string): WantedRuntime {
  const { name, wanted = '' } = parseRuntimeSpec(spec);
  if (!isProcessRuntime(name)) {
    throw new ToolError('runtime-unknown', { value: spec, names: PROCESS_RUNTIMES });
  }
  const version = semver.clean(wanted);
  return { spec, name, wanted: version ?? (wanted.trim() || 'latest') };
}

/** True for version numbers and ranges, which the cache can answer; tags need npm. */
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
export function chooseVersion(
  { spec, name, wanted }: WantedRuntime,
  { versions, tags }: PublishedVersions,
): string {
  const tagged = wanted === 'latest' ? undefined : tags[wanted];
  const chosen = tagged ?? newestSatisfying(versions, wanted);
  if (chosen !== null) return chosen;
  const newest = newestFirst(stable(versions)).slice(0, VERSIONS_SHOWN);
  throw new ToolError('version-unknown', { value: spec, detail: name, names: newest });
}

/** Leaves out texts that are not versions. */
export function newestFirst(versions: readonly string[]): string[] {
  return semver.rsort(versions.filter((version) => semver.valid(version) === version));
}

function stable(versions: readonly string[]): string[] {
  return versions.filter((version) => semver.valid(version) && semver.prerelease(version) === null);
}

/** By environment, which names the registry. */
const queries = new WeakMap<Environment, Map<string, Promise<PublishedVersions>>>();

/** The published versions of a package; npm runs once for each in a process. @throws NpmFailure, ToolError */
export function published(packageName: string, options: NpmOptions): Promise<PublishedVersions> {
  const answers = queries.get(options.env) ?? new Map<string, Promise<PublishedVersions>>();
  queries.set(options.env, answers);
  const known = answers.get(packageName);
  if (known) return known;
  const answer = npmJson(['view', packageName, 'versions', 'dist-tags'], options).then(publishedFrom);
  answers.set(packageName, answer);
  answer.catch(() => answers.delete(packageName));
  return answer;
}

/** npm prints one version as a string and several as an array. */
function publishedFrom(printed: unknown): PublishedVersions {
  const { versions, 'dist-tags': tags } = printed as { versions?: string | string[]; 'dist-tags'?: object };
  return { versions: [versions ?? []].flat(), tags: (tags ?? {}) as Record<string, string> };
}
