import type { PeerEntry } from './platform.ts';

/** A page and its worker that sends have one bundle: it is large. */
const bundleOf = (entry: PeerEntry): string => (entry === 'sender' ? 'page' : entry);

export const entryUrl = (entry: PeerEntry): URL => new URL(`./${bundleOf(entry)}.mjs`, import.meta.url);

export const startWebWorker = (entry: PeerEntry): Worker => new Worker(entryUrl(entry), { type: 'module' });
