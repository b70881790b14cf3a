import { analyzeCommand } from './analyze.ts';
import { baselineCommand } from './baseline.ts';
import { checkCommand } from './check.ts';
import { codecCommand } from './codec.ts';
import type { CommandSpec } from './command-spec.ts';
import { recordCommand } from './record.ts';
import { reportCommand } from './report.ts';
import { rulesCommand } from './rules.ts';
import { runtimesCommand } from './runtimes.ts';
import { sweepCommand } from './sweep.ts';
import { verifyCommand } from './verify.ts';

/** In the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  analyzeCommand,
  codecCommand,
  recordCommand,
  checkCommand,
  baselineCommand,
  sweepCommand,
  reportCommand,
  verifyCommand,
  rulesCommand,
  runtimesCommand,
];
