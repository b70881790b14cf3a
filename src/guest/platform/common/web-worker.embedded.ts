import { pageParts, startPart } from './parts.ts';
import type { PeerEntry } from './platform.ts';

export const startWebWorker = (entry: PeerEntry): Worker => startPart(pageParts(), entry);
