/** Apart from web.ts, because the one script of the playground has no `import.meta`. */
import type { PeerEntry } from './platform.ts';

export const entryUrl = (entry: PeerEntry): URL => new URL(`./${entry}.mjs`, import.meta.url);

export const startWebWorker = (entry: PeerEntry): Worker => new Worker(entryUrl(entry), { type: 'module' });
