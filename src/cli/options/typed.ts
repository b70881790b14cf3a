/** What was typed after the name of a command. */
export interface Typed {
  args: string[];
  flags: Readonly<Record<string, unknown>>;
}

/** Values of an option that may be given several times or with several words. */
export const listOf = (flag: unknown): string[] => (Array.isArray(flag) ? flag.map(String) : []);

export const textOf = (flag: unknown): string | null => (typeof flag === 'string' ? flag : null);

/** Format of commands that print for people or for programs. */
export const terminalOrJson = ({ flags }: Typed): 'terminal' | 'json' =>
  flags.format === 'json' ? 'json' : 'terminal';

/** How runtimes that are not here are fetched. */
export interface Fetching {
  offline: boolean;
  /** npm reads the `.npmrc` of the project too. */
  projectNpmrc: boolean;
}

/** How browsers are waited for that somebody opens the link of `-r url` with. */
export interface Waiting {
  /** Where the link is served; null: on this machine only. */
  listen: string | null;
  timeoutMs: number;
}

export const fetchingOf = ({ offline, projectNpmrc }: Typed['flags']): Fetching => ({
  offline: offline === true,
  projectNpmrc: projectNpmrc === true,
});
