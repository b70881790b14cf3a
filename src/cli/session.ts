import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FetchOptions, Services } from '../services.ts';
import { interruptible } from './interrupt.ts';
import { createProgress, type Progress } from './progress.ts';
import type { World } from './world.ts';

/** What an action works with while it runs. */
export interface Session {
  services: Services;
  world: World;
  progress: Progress;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** An empty folder, removed afterwards. */
  workdir: string;
}

/** Runs `work` with Ctrl-C, progress on stderr and a work folder; cleans up all three in any case. */
export async function withSession<T>(
  services: Services,
  world: World,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const workdir = mkdtempSync(join(tmpdir(), 'clone-prof-'));
  const progress = createProgress(world);
  try {
    return await interruptible(world, (signal) => work({ services, world, progress, signal, workdir }));
  } finally {
    progress.stop();
    rmSync(workdir, { recursive: true, force: true });
  }
}

export const fetchOptions = ({ progress, signal }: Session, offline: boolean): FetchOptions => ({
  offline,
  onNote: (text) => progress.listen({ type: 'note', text }),
  signal,
});
