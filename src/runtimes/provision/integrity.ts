/** A fetched package is the one whose hash this program knows, else the one whose hash its registry publishes. */

import { hashOfFile } from '../../machine/given-file.ts';
import { NpmFailure, type NpmOptions, npmJson } from './npm.ts';

/** Package -> version -> "sha512-...". */
export type KnownHashes = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface IntegrityOptions extends NpmOptions {
  /** Also what its registry publishes no sha512 of: npm then compares a sha1, or nothing. */
  weakIntegrity: boolean;
  /** null: those of the versions that the rule book names. */
  known: KnownHashes | null;
}

interface Package {
  package: string;
  version: string;
}

/** The hash of a tarball. @throws NpmFailure where it is another one, or where nothing is known to compare it with */
export async function checkedIntegrity(
  tarball: string,
  { package: name, version }: Package,
  options: IntegrityOptions,
): Promise<string> {
  const what = `${name}@${version}`;
  const integrity = `sha512-${await hashOfFile(tarball, 'sha512', 'base64')}`;
  const known = (options.known ?? (await knownHashes()))[name]?.[version];
  const expected = known === undefined ? await publishedHashes(what, options) : [known];
  if (expected.includes(integrity)) return integrity;
  if (expected.length > 0) {
    const whose = known === undefined ? 'its registry publishes' : 'clone-prof knows';
    throw new NpmFailure('EHASH', `${what} is ${integrity}, but ${whose} ${expected.join(' ')}`);
  }
  if (options.weakIntegrity) return integrity;
  throw new NpmFailure(
    'EWEAK',
    `its registry publishes no sha512 of ${what}; --weak-integrity fetches it anyway`,
  );
}

async function knownHashes(): Promise<KnownHashes> {
  return (await import('./known-hashes.json', { with: { type: 'json' } })).default;
}

async function publishedHashes(what: string, options: NpmOptions): Promise<string[]> {
  const printed = (await npmJson(['view', what, 'name', 'dist'], options)) as {
    dist?: { integrity?: unknown };
  } | null;
  const { integrity } = printed?.dist ?? {};
  return typeof integrity === 'string' ? (integrity.match(/sha512-[\w+/=]+/g) ?? []) : [];
}
