import type { CommandSpec } from '../src/cli/options/option.ts';

export declare function manPage(
  commands: readonly CommandSpec[],
  about: { version: string; homepage: string },
): string;
