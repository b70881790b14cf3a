import { ToolError } from '../../../model/errors.ts';

/** @throws ToolError 'measure-failed': a page has no profiler, and nowhere to write */
export function sideProfiler(): never {
  throw new ToolError('measure-failed', { detail: 'there is no profiler for pages' });
}
