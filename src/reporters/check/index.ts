import type { CheckFormat, CheckReport } from '../../model/check.ts';
import type { RenderOptions } from '../../model/render-options.ts';
import type { Wording } from '../../model/wording.ts';
import { jsonText } from '../json.ts';
import { checkGithub } from './github.ts';
import { checkJunit } from './junit.ts';
import { checkMarkdown } from './markdown.ts';
import { checkSarif } from './sarif.ts';
import { checkTerminal } from './terminal.ts';

export type CheckReporter = (report: CheckReport, options: RenderOptions, words: Wording) => string;

export const CHECK_REPORTERS = {
  terminal: checkTerminal,
  json: jsonText,
  markdown: checkMarkdown,
  github: checkGithub,
  junit: checkJunit,
  sarif: checkSarif,
} as const satisfies Record<CheckFormat, CheckReporter>;
