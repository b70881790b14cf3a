import type { Platform } from '../measure/peer/endpoint.ts';
import { BUN } from './bun.ts';
import { DENO } from './deno.ts';
import { NODE } from './node.ts';

/** The one place that asks where it runs. */
export function currentPlatform(): Platform {
  if (process.versions.bun !== undefined) return BUN;
  if (process.versions.deno !== undefined) return DENO;
  return NODE;
}
