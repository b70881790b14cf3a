/** Which version a spec means: exact, range, "latest" or another tag of the platform package. */
import semver from 'semver';
import { parseRuntimeSpec } from '../../engines/versions/versions.ts';
import { ToolError } from '../../model/errors.ts';
import { PROGRAM_RUNTIMES } from '../../model/names.ts';
import { BROWSER_PROGRAMS } from '../browser/kinds.ts';
import { isProgramRuntime } from '../process/kinds.ts';

export type WantedRuntime = ReturnType<typeof parseSpec>;

const VERSIONS_SHOWN = 5;

/** Names that npm takes for a tag, except those that every object has. */
const isTagName = (text: string) => /^[a-z][\w.-]*$/i.test(text) && !(text in Object.prototype);

/** A name and the wanted version, by default "latest". @throws ToolError 'runtime-unknown', 'version-malformed' */
export function parseSpec(spec: string) {
  const { name, wanted: given = '' } = parseRuntimeSpec(spec);
  if (!isProgramRuntime(name)) {
    const isBrowser = BROWSER_PROGRAMS.some((one) => one.name === name);
    const facts = isBrowser ? { detail: 'Browsers are never fetched: install it' } : {};
    throw new ToolError('runtime-unknown', { value: spec, names: PROGRAM_RUNTIMES, ...facts });
  }
  const wanted = semver.clean(given) ?? (given.trim() || 'latest');
  if (isNumeric(wanted) || isTagName(wanted)) return { spec, name, wanted };
  throw new ToolError('version-malformed', { value: spec, detail: given });
}

/** Version numbers and ranges, which the cache can answer; tags need npm. */
export const isNumeric = (wanted: string): boolean => semver.validRange(wanted) !== null;

const isVersion = (one: unknown): one is string => typeof one === 'string' && semver.valid(one) === one;

export const satisfies = (version: string, wanted: string): boolean =>
  version === wanted || semver.satisfies(version, wanted);

/** True if a version, or every version of a range, is older than `oldest`. Tags are unknown without npm. */
export const isOlder = (wanted: string, oldest: string): boolean =>
  isNumeric(wanted) && semver.gtr(oldest, wanted);

/** Newest first; prereleases (canaries) only when named exactly. */
export function newestSatisfying(versions: readonly string[], wanted: string): string | null {
  if (versions.includes(wanted)) return wanted;
  return semver.maxSatisfying(stable(versions), wanted === 'latest' ? '*' : wanted);
}

/**
 * "latest" is the highest stable version and not the tag: the tag of a platform package is what was published last,
 * which may be a fix of an old line. @throws ToolError 'version-unknown'
 */
export function chooseVersion(
  { spec, name, wanted }: WantedRuntime,
  { versions, tags }: ReturnType<typeof publishedFrom>,
): string {
  const tagged = wanted === 'latest' ? undefined : tags.get(wanted);
  const chosen = tagged ?? newestSatisfying(versions, wanted);
  if (chosen !== null) return chosen;
  const newest = newestFirst(stable(versions)).slice(0, VERSIONS_SHOWN);
  throw new ToolError('version-unknown', { value: spec, detail: name, names: newest });
}

/** Texts that are not versions are left out. */
export const newestFirst = (versions: readonly string[]): string[] =>
  semver.rsort(versions.filter(isVersion));

const stable = (versions: readonly string[]): string[] =>
  versions.filter((version) => semver.valid(version) && semver.prerelease(version) === null);

/** npm prints one version as a string and several as an array. A registry may answer anything. */
export function publishedFrom(printed: unknown) {
  const { versions, 'dist-tags': tags } = (printed ?? {}) as { versions?: unknown; 'dist-tags'?: unknown };
  const tagged = Object.entries(tags ?? {}).filter(([, version]) => isVersion(version));
  return { versions: [versions ?? []].flat().filter(isVersion), tags: new Map(tagged) };
}
