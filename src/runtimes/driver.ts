/** The driver of each runtime, behind one interface. */
import { ToolError } from '../model/errors.ts';
import type { RuntimeName } from '../model/names.ts';
import type { RuntimeDriver } from '../model/runtime.ts';
import { processDriver } from './process/driver.ts';

/** null: no driver yet. The rule books of browsers are here, but no browser can be started. */
const DRIVERS: Readonly<Record<RuntimeName, RuntimeDriver | null>> = {
  node: processDriver,
  bun: processDriver,
  deno: processDriver,
  chromium: null,
  firefox: null,
  webkit: null,
};

const STARTABLE = Object.keys(DRIVERS).filter((name) => DRIVERS[name as RuntimeName] !== null);

export const notStartable = (spec: string): ToolError =>
  new ToolError('runtime-missing', {
    value: spec,
    detail: `only runtimes that are a program of their own can be started: ${STARTABLE.join(', ')}`,
  });

/** Starts guests of any runtime that has a driver. @throws ToolError 'runtime-missing' for the others */
export const runtimeDriver: RuntimeDriver = {
  start: async (runtime, options) => {
    const driver = DRIVERS[runtime.name];
    if (!driver) throw notStartable(runtime.spec);
    return driver.start(runtime, options);
  },
};
