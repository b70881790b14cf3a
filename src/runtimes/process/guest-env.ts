import { LINK_ENV } from '../../model/wire.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** An inspector would make the guest wait, or take the port of the user's own session. */
const INSPECTOR = /(^|\s)--(?:inspect|debug)(?:-[a-z-]+)?(?:=\S+| \d+)?(?=\s|$)/g;

/** Left by a parent that talks to us over an IPC channel: its file descriptor does not exist in the guest. */
const IPC = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'NODE_UNIQUE_ID'];

/** The user's environment without what breaks the guest, and with the line to the host. */
export function guestEnv(user: Env, kind: Env, link: string): Record<string, string> {
  const env: Record<string, string | undefined> = { ...user, NO_COLOR: '1', FORCE_COLOR: undefined, ...kind };
  for (const name of IPC) env[name] = undefined;
  for (const name of ['NODE_OPTIONS', 'BUN_OPTIONS']) {
    if (env[name] !== undefined) env[name] = env[name].replace(INSPECTOR, '$1').trim() || undefined;
  }
  env[LINK_ENV] = link;
  return Object.fromEntries(Object.entries(env).filter((e): e is [string, string] => e[1] !== undefined));
}
