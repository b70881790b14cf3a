export type Environment = Readonly<Record<string, string | undefined>>;

/** Facts of a machine that decide which build of a runtime runs there. */
export interface BuildTarget {
  /** Value of `process.platform`. */
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

/** Facts that the host must know about a runtime whose guests are processes. */
export interface RuntimeKind {
  /** The oldest version in which guests run. */
  oldest: string;
  /** Arguments that query a program with such a name; other programs get `--version`. */
  askedBy?: { name: RegExp; args: string[]; env: Environment };
  /** The version in the output of `<binary> --version`, or of the `askedBy` arguments; null for any other program. */
  versionIn(printed: string): string | null;
  /** The npm package's package.json next to the binary, for binaries that do not print their whole version. */
  versionFile?: string;
  /** A second question, for runtimes whose version output is a bare number that many programs print. */
  confirm?: { args: string[]; matches(version: string, printed: string): boolean };
  /**
   * Arguments before the guest's file. `config`: see configFile; null: nothing of a project's is read. `files`: a folder
   * that it may make, and the host removes.
   */
  guestArgs(config: string | null, files: string): readonly string[];
  /** File with which a guest resolves the imports of modules in the project of `cwd`; null: it does not need a file. */
  configFile?(cwd: string): string | null;
  /** True if arguments cannot stop it from reading its working folder and above: a guest for data starts elsewhere. */
  readsWorkingFolder?: true;
  /** Changes to the user's environment for the guest; undefined removes a variable. */
  guestEnv: Environment;
  /** Paths of its npm binary below a node_modules folder; `*` matches the name of one platform. */
  inNodeModules: readonly string[];
  /** The tool that installs the binary there, if npm alone does not. */
  installedBy?: string;
  /** The npm package with the binary for a machine; null if no package is published. */
  npmPackage(target: BuildTarget): NpmPackage | null;
}
