import type { Endpoint, Platform } from './platform/common/platform.ts';
import { givePlatform } from './platform/current.ts';
import { surviveUserCode } from './user-code/user-code.ts';

/** Begins the worker or child process at the other end of messages. */
export function beginPeer(platform: Platform, begin: (parent: Endpoint) => void): void {
  givePlatform(platform);
  const parent = platform.parentEndpoint();
  surviveUserCode(platform);
  begin(parent);
}
