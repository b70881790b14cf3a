import { serialize } from 'node:v8';
import { without } from '../../core/branches/without.ts';
import type { BranchBytes } from '../../model/profile.ts';
import type { GuestRequest } from '../../model/wire.ts';
import { bunJsc } from '../../probe/bun/jsc.ts';
import { build } from '../payload/materialize.ts';

type BranchBytesAsk = Extract<GuestRequest, { type: 'branch-bytes' }>;

/**
 * Wire bytes of the payload, and of the payload without each branch, by the engine's own serializer.
 *
 * @throws what building the payload throws
 */
export async function branchBytes({ recipe, paths }: BranchBytesAsk): Promise<BranchBytes> {
  const { value } = await build(recipe);
  const bytesOf = await serializer();
  return {
    type: 'branch-bytes',
    whole: bytesOf(value),
    without: paths.map((path) => bytesOf(without(value, path))),
  };
}

/** Null for what the serializer does not carry. */
async function serializer(): Promise<(value: unknown) => number | null> {
  const jsc = process.versions.bun === undefined ? null : await bunJsc();
  return (value) => {
    try {
      return jsc === null ? serialize(value).byteLength : jsc.serialize(value).byteLength;
    } catch {
      return null;
    }
  };
}
