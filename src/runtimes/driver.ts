/**
 * Starts guests of any runtime. A kind of runtime whose guests are not processes (a browser) brings a RuntimeDriver with
 * a Body (what is alive behind the guest) and a Link (how messages travel), and is chosen here.
 */
import { ToolError } from '../model/errors.ts';
import { PROCESS_RUNTIMES } from '../model/names.ts';
import type { RuntimeDriver } from '../model/runtime.ts';
import { processDriver } from './process/driver.ts';
import { isProcessRuntime } from './process/kinds.ts';

/** Rules for browsers exist, but no driver yet. */
export const notStartable = (spec: string): ToolError =>
  new ToolError('runtime-missing', {
    value: spec,
    detail: `only these runtimes can be started: ${PROCESS_RUNTIMES.join(', ')}`,
  });

/** @throws ToolError 'runtime-missing' for runtimes without a driver */
export const runtimeDriver: RuntimeDriver = {
  start: async (runtime, options) => {
    if (!isProcessRuntime(runtime.name)) throw notStartable(runtime.spec);
    return processDriver.start(runtime, options);
  },
};
