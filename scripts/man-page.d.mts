import type { CommandFlags } from '../src/cli/options/flags.ts';

export declare function manPage(
  commands: readonly CommandFlags[],
  about: { version: string; homepage: string },
): string;
