import { orElse } from '../../../model/or-else.ts';
import type { StackLocation } from '../common/platform.ts';
import { servedUrl } from './served.ts';

// Taken before user code loads.
const { XMLHttpRequest: SyncRequest } = globalThis;
const { parse } = JSON;

/**
 * Where a line and column of a bundled module come from, in the user's files. The host has the source map. Errors are created,
 * and read, at once: the answer is waited for. A service worker cannot wait: null.
 */
export const positionOf = (module: string, at: string): StackLocation | null =>
  orElse(() => {
    const request = new SyncRequest();
    request.open('GET', servedUrl(`${module}/${at}`), false);
    request.send();
    return parse(request.responseText) as StackLocation | null;
  }, null);
