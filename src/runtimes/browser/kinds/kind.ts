import type { Environment } from '../../process/kind.ts';

/** One program of a family: Chrome and Edge are Chromium. */
export interface BrowserProgram {
  /** On PATH. */
  commands: readonly string[];
  /**
   * Absolute paths where a system installs it, beside PATH. `%NAME%` is a variable of the environment, `*` any part of a
   * name.
   */
  places: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
}

/** How to find and start one family of browsers. */
export interface BrowserKind {
  /** The oldest version in which guests run. */
  oldest: string;
  /** By the name for `-r`. The name of the family stands for the others too, where its own program is missing. */
  programs: Readonly<Record<string, BrowserProgram>>;
  /** The version in the output of `<binary> --version`; null for any other program. */
  versionIn(printed: string): string | null;
  /** The same out of the names beside the binary, for Windows, where a program with windows prints nothing. */
  versionBeside?(names: readonly string[]): string | null;
  /** Starts the binary with arguments, where it needs something around it. */
  command?(binary: string, args: readonly string[]): [binary: string, args: string[]];
  /** Arguments for a window without a display that opens `url`, with all that it keeps in the folder `profile`. */
  args(profile: string, url: string): readonly string[];
  /** The same for one that is driven over two pipes and has opened no page, so that it can load extensions; absent where it cannot. */
  extended?(profile: string): readonly string[];
  /** Files of a fresh profile, by name. */
  profile?(): Readonly<Record<string, string | Uint8Array>>;
  /** Its working folder is its home folder. */
  env: Environment;
}
