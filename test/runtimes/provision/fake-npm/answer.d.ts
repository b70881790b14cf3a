import type { NpmExit } from '../../../../src/runtimes/provision/npm.ts';

export function answer(fake: unknown, args: readonly string[]): Partial<NpmExit> | null;
