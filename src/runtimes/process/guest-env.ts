import { LINK_ENV } from '../../model/wire/wire.ts';
import type { Environment } from './kind.ts';

/** An inspector would make the guest wait, or take the port of the user's own session. */
const INSPECTOR = /(^|\s)--(?:inspect|debug)(?:-[a-z-]+)?(?:=\S+| \d+)?(?=\s|$)/g;

/** Set when this process has an IPC channel to its parent: the file descriptor does not exist in the guest. */
const IPC_VARIABLES = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'];

/** The user's environment without the variables that break a guest, and with the address of the host. */
export function guestEnv(user: Environment, kind: Environment, link: string): Record<string, string> {
  const env: Record<string, string | undefined> = { ...user, NO_COLOR: '1', FORCE_COLOR: undefined, ...kind };
  for (const name of IPC_VARIABLES) env[name] = undefined;
  for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS']) {
    if (env[name] !== undefined) env[name] = env[name].replace(INSPECTOR, '$1').trim() || undefined;
  }
  env[LINK_ENV] = link;
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined));
}
