import { ToolError } from '../../../model/errors.ts';
import type { PeakMemory } from '../common/platform.ts';

/** Nobody outside the page looks at its process. @throws ToolError 'measure-failed' */
export function markPeakMemory(): PeakMemory {
  throw new ToolError('measure-failed', { detail: 'a page does not see the memory of its process' });
}
