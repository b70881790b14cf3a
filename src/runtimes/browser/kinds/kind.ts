import type { Environment } from '../../process/kind.ts';

/** One program of a family: Chrome and Edge are Chromium. */
export interface BrowserProgram {
  /** On PATH. */
  commands: readonly string[];
  /** Absolute paths in addition to PATH. `%NAME%` is an environment variable, `*` any part of a name. */
  places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
}

/** Facts that the host needs to find and start one family of browsers. */
export interface BrowserKind {
  /** The oldest version in which guests run. */
  oldest: string;
  /** Programs by the name for `-r`. The family's name also stands for the others if its own program is missing. */
  programs: Readonly<Record<string, BrowserProgram>>;
  /** The version in the output of `<binary> --version`; null for any other program. */
  versionIn(printed: string): string | null;
  /** The version by the names next to the binary, for Windows: a program with windows prints nothing there. */
  versionBeside?(names: readonly string[]): string | null;
  /** Command that starts the binary with arguments, for a kind that needs something around it. */
  command?(binary: string, args: readonly string[]): [binary: string, args: string[]];
  /** Arguments for a window without a display that opens `url`, with all that it keeps in the folder `profile`. */
  args(profile: string, url: string): readonly string[];
  /** Arguments for a browser that is driven over two pipes, opens no page and loads extensions; absent if it cannot. */
  extended?(profile: string): readonly string[];
  /** Files of a fresh profile, by name. */
  profile?(): Readonly<Record<string, string | Uint8Array>>;
  /** Its working folder is its home folder. */
  env: Environment;
}
