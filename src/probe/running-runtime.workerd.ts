import type { RuntimeId } from '../model/documents/names.ts';
import { ENGINE_OF } from '../model/names.ts';
import { bindings } from './workerd/bindings.ts';

/** A worker is not told the version of workerd: the host binds it. */
export const runningRuntime = (): RuntimeId => ({
  name: 'workerd',
  version: bindings.VERSION,
  engine: ENGINE_OF.workerd,
});
