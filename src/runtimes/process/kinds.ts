import type { EngineName, RuntimeName } from '../../model/words.ts';
import { bun } from './bun.ts';
import { deno } from './deno.ts';
import { node } from './node.ts';

/** Runtimes that are a binary of their own, started by file. Browsers are not. */
export const BINARY_RUNTIMES = ['node', 'bun', 'deno'] as const satisfies readonly RuntimeName[];
export type BinaryRuntime = (typeof BINARY_RUNTIMES)[number];

/** How one kind of binary is recognised and how a guest is started in it. */
export interface RuntimeKind {
  name: BinaryRuntime;
  engine: EngineName;
  /** The version in what `<binary> --version` prints; null when another program speaks. */
  versionIn(printed: string): string | null;
  /** Arguments that a mere version number needs to be trusted, and what must be printed then. */
  confirm: { args: string[]; says(version: string, printed: string): boolean } | null;
  /** Arguments before the guest's file, for a user who works in `cwd`. */
  guestArgs(cwd: string): readonly string[];
  /** Environment of the guest on top of the user's; undefined removes. */
  guestEnv: Readonly<Record<string, string | undefined>>;
  /** Where npm puts its binary below a node_modules folder; `*` stands for one platform's name. */
  inNodeModules: readonly string[];
}

export const KINDS = { node, bun, deno } as const satisfies Record<BinaryRuntime, RuntimeKind>;

export function isBinaryRuntime(name: string): name is BinaryRuntime {
  return Object.hasOwn(KINDS, name);
}
