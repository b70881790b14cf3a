/**
 * Starts guests of any runtime. A kind of runtime whose guests are not processes (a browser) brings a RuntimeDriver with
 * a Body (what is alive behind the guest) and a Link (how messages travel), and is chosen here.
 */

import { ToolError } from '../model/errors.ts';
import type { BundleForPage } from '../model/page-module.ts';
import type { RuntimeDriver } from '../model/run/runtime.ts';
import { browserDriver } from './browser/driver.ts';
import { processDriver } from './process/driver.ts';
import { isProcessRuntime } from './process/kinds.ts';
import { workerdDriver } from './workerd/driver.ts';

export const runtimeDriver = (bundleForPage: BundleForPage): RuntimeDriver => ({
  start: async (runtime, options) => {
    if (isProcessRuntime(runtime.name)) {
      if (options.sender === 'worker') throw new ToolError('sender-unsupported', { value: runtime.spec });
      return processDriver.start(runtime, options);
    }
    if (runtime.name === 'workerd') {
      return workerdDriver(bundleForPage).start(runtime, options);
    }
    return browserDriver(bundleForPage).start(runtime, options);
  },
});
