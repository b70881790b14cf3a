import { ToolError } from '../model/errors.ts';
import { describePayload } from './describe/describe-payload.ts';
import { makeSchema } from './describe/make-schema.ts';
import type { HANDLERS as ALL } from './handlers.ts';
import { measure } from './measure/measure.ts';
import { open } from './payload/open.ts';
import { prove } from './prove/prove.ts';

async function refused(): Promise<never> {
  throw new ToolError('measure-failed', { detail: 'a page without the tool beside it cannot do that' });
}

/** Without what only the command line asks for, and what a page can do only when the tool started its browser. */
export const HANDLERS: typeof ALL = {
  open: open,
  describe: describePayload,
  schema: makeSchema,
  prove: prove,
  measure: measure,
  losses: refused,
  dimensions: refused,
  sample: refused,
  profile: refused,
  'branch-bytes': refused,
  memory: refused,
};
