import type { Platform } from './common/platform.ts';

let given: Platform | null = null;

/** Called by each entry, before user code loads. */
export function givePlatform(platform: Platform): void {
  given = platform;
}

/** The platform that the entry of this bundle gave. */
export function currentPlatform(): Platform {
  if (given === null) throw new Error('no entry gave a platform');
  return given;
}
