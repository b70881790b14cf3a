import { ToolError } from '../model/errors.ts';
import type { HANDLERS as ALL } from './handlers.ts';

async function refused(): Promise<never> {
  throw new ToolError('measure-failed', { detail: 'a page without the tool beside it cannot do that' });
}

/** Without what only the command line asks for, and what a page can do only when the tool started its browser. */
export const HANDLERS: typeof ALL = {
  open: async () => (await import('./payload/open.ts')).open,
  describe: async () => (await import('./describe/describe-payload.ts')).describePayload,
  schema: async () => (await import('./describe/make-schema.ts')).makeSchema,
  prove: async () => (await import('./prove/prove.ts')).prove,
  measure: async () => (await import('./measure/measure.ts')).measure,
  losses: refused,
  dimensions: refused,
  sample: refused,
  profile: refused,
  'branch-bytes': refused,
  memory: refused,
};
