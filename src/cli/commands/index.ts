import type { CommandSpec } from '../command.ts';
import { analyzeCommand } from './analyze.ts';
import { rulesCommand } from './rules.ts';
import { runtimesCommand } from './runtimes.ts';
import { sweepCommand } from './sweep.ts';
import { verifyCommand } from './verify.ts';

/** In the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  analyzeCommand,
  sweepCommand,
  verifyCommand,
  rulesCommand,
  runtimesCommand,
];
