import { runtimeDriver } from '../../src/runtimes/driver.ts';

/** Guests of runtimes that are processes, which need no bundles. */
export const processDriver = runtimeDriver(() => Promise.reject(new Error('no page is expected')));
