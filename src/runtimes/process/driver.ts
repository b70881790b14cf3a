import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { projectRoot } from '../../machine/folders.ts';
import { packageFile } from '../../machine/package-file.ts';
import { ToolError } from '../../model/errors.ts';
import type { ProcessRuntime } from '../../model/names.ts';
import {
  type FoundRuntime,
  PROJECT_ENV,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import { awaitHello } from '../guests/await-hello.ts';
import { ConnectedGuest } from '../guests/connected-guest.ts';
import { guestEnv } from './guest-env.ts';
import { GuestServer } from './guest-server.ts';
import { KINDS } from './kinds.ts';
import { MARK_ENV, newMark } from './marked-children.ts';
import { silence } from './process-exit.ts';
import { ProcessGroup } from './process-group.ts';

/** The guest's bundle. */
const GUEST = 'dist/guest/main.mjs';

const server = new GuestServer();

function launch(
  { name, version, binary }: FoundRuntime,
  { cwd, forModules = false }: StartOptions,
  link: string,
): ProcessGroup {
  const kind = KINDS[name as ProcessRuntime];
  const guest = packageFile(GUEST);
  const args = [...kind.guestArgs(forModules ? kind.configFile(cwd) : null, version), guest];
  const mark = newMark();
  const options = {
    cwd: kind.readsWorkingFolder && !forModules ? dirname(guest) : cwd,
    env: {
      ...guestEnv(process.env, { ...kind.guestEnv, [PROJECT_ENV]: undefined }, link),
      ...{ [MARK_ENV]: mark, ...(forModules && { [PROJECT_ENV]: projectRoot(cwd) }) },
    },
  };
  return new ProcessGroup(binary, args, options, forModules ? mark : null);
}

/** Stops a guest of another runtime or version than was found: the binary is a wrapper, or was replaced since. */
function checkIdentity(runtime: FoundRuntime, guest: ConnectedGuest): void {
  const { name, version } = guest.hello.runtime;
  if (name === runtime.name && version === runtime.version) return;
  const detail = `${runtime.binary} turned out to be ${name} ${version}`;
  const error = new ToolError('runtime-missing', { value: runtime.spec, detail });
  guest.stop(error);
  throw error;
}

async function start(runtime: FoundRuntime, options: StartOptions): Promise<ConnectedGuest> {
  const { signal } = options;
  if (signal?.aborted) throw new ToolError('interrupted');
  const token = randomBytes(16).toString('hex');
  const { port, connected } = await server.expect(token);
  try {
    const group = launch(runtime, options, `${port}:${token}`);
    const ended = group.exited.then(silence);
    const { hello, link } = await awaitHello(runtime.spec, connected, ended, group, options);
    const guest = new ConnectedGuest(hello, link, group, {
      timeoutMs: options.timeoutMs,
      asksToExit: options.forModules === true,
    });
    const interrupted = () => guest.stop(new ToolError('interrupted'));
    signal?.addEventListener('abort', interrupted, { once: true });
    void group.exited.then(() => signal?.removeEventListener('abort', interrupted));
    if (signal?.aborted) interrupted();
    checkIdentity(runtime, guest);
    return guest;
  } finally {
    server.forget(token);
  }
}

/** Guests as processes of the runtimes in PROCESS_RUNTIMES. Every error is a ToolError; no guest outlives this process. */
export const processDriver: RuntimeDriver = { start };
