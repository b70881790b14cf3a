import type { PeerEntry } from './platform.ts';

export const entryUrl = (entry: PeerEntry): URL => new URL(`./${entry}.mjs`, import.meta.url);

export const startWebWorker = (entry: PeerEntry): Worker => new Worker(entryUrl(entry), { type: 'module' });
