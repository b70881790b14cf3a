/** Real runtimes for the tests. What is not here is fetched into the cache; what cannot be had fails the test. */
import type { FoundRuntime } from '../../src/model/runtime.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';

const wanted = new Map<string, Promise<FoundRuntime>>();

/** `runtime('bun@1.4.5')`, `runtime('node@24.21.0')`; `runtime('node')` is the node that runs the tests. */
export function runtime(spec: string): Promise<FoundRuntime> {
  const found = wanted.get(spec) ?? (spec === 'node' ? Promise.resolve(running()) : provision(spec));
  wanted.set(spec, found);
  return found;
}

function running(): FoundRuntime {
  const version = process.versions.node;
  return {
    name: 'node',
    version,
    engine: 'v8',
    spec: `node@${version}`,
    binary: process.execPath,
    from: 'running',
  };
}
