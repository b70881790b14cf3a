import type { EngineName } from '../../model/names.ts';
import type { ProcessRuntime } from '../../probe/running-runtime.ts';

/** How one kind of binary is recognised, and how a guest is started in it. */
export interface RuntimeKind {
  name: ProcessRuntime;
  engine: EngineName;
  /** The version in the output of `<binary> --version`; null for any other program. */
  versionIn(printed: string): string | null;
  /** A second question, for runtimes whose version output is a bare number that many programs print. */
  confirm: { args: string[]; matches(version: string, printed: string): boolean } | null;
  /** Arguments before the guest's file, for a user who works in `cwd`. */
  guestArgs(cwd: string): readonly string[];
  /** Environment of the guest on top of the user's; undefined removes. */
  guestEnv: Readonly<Record<string, string | undefined>>;
  /** Where npm puts its binary below a node_modules folder; `*` matches the name of one platform. */
  inNodeModules: readonly string[];
}
