export type Environment = Readonly<Record<string, string | undefined>>;

/** What decides which build of a runtime runs on a machine. */
export interface BuildTarget {
  /** As in `process.platform`. */
  platform: string;
  arch: string;
  /** The C library is musl (Alpine), not glibc. */
  musl: boolean;
  /** False on an x64 processor without AVX2: Bun's standard build dies there of an illegal instruction. */
  avx2: boolean;
}

export interface NpmPackage {
  package: string;
  /** Path of the binary inside the package. */
  binary: string;
}

/** What the host must know of a runtime whose guests are processes. */
export interface RuntimeKind {
  /** The oldest version in which guests run. */
  oldest: string;
  /** Only programs with such a name are asked, by these arguments; others by `--version`. */
  askedBy?: { name: RegExp; args: string[]; env: Environment };
  /** The version in the output of `<binary> --version`, or of `askedBy`; null for any other program. */
  versionIn(printed: string): string | null;
  /** Beside the binary, where that does not print all of its version: the package.json of its npm package. */
  versionFile?: string;
  /** A second question, for runtimes whose version output is a bare number that many programs print. */
  confirm?: { args: string[]; matches(version: string, printed: string): boolean };
  /**
   * Arguments before the guest's file. `config`: see configFile; null: nothing of a project's is read. `files`: a folder
   * that it may make, and the host removes.
   */
  guestArgs(config: string | null, files: string): readonly string[];
  /** What a guest that loads modules of the project of `cwd` must read to resolve what they import; null: nothing. */
  configFile?(cwd: string): string | null;
  /** What it reads in its working folder and above cannot be refused by arguments: a guest for data starts elsewhere. */
  readsWorkingFolder?: true;
  /** Environment of the guest on top of the user's; undefined removes. */
  guestEnv: Environment;
  /** Where npm puts its binary below a node_modules folder; `*` matches the name of one platform. */
  inNodeModules: readonly string[];
  /** What puts its binary there, where npm alone does not. */
  installedBy?: string;
  /** The npm package with the binary for a machine; null where none is published. */
  npmPackage(target: BuildTarget): NpmPackage | null;
}
