import { entryUrl } from './entry-url.ts';
import type { PeerEntry } from './platform.ts';

export const startWebWorker = (entry: PeerEntry): Worker => new Worker(entryUrl(entry), { type: 'module' });
