import { randomBytes } from 'node:crypto';
import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime, Guest, RuntimeDriver, StartOptions } from '../../model/runtime.ts';
import { ConnectedGuest } from '../connected-guest.ts';
import { guestEnv } from './guest-env.ts';
import { guestFile } from './guest-file.ts';
import { type GuestConnection, GuestServer } from './guest-server.ts';
import { isBinaryRuntime, KINDS } from './kinds.ts';
import { silentError } from './process-exit.ts';
import { ProcessGroup } from './process-group.ts';

export { killAll } from './process-group.ts';

const switchboard = new GuestServer();

function launch(runtime: FoundRuntime, options: StartOptions, link: string): ProcessGroup {
  const { name, spec, binary } = runtime;
  if (!isBinaryRuntime(name)) {
    throw new ToolError('runtime-missing', { value: spec, detail: 'a browser is not started as a process' });
  }
  const kind = KINDS[name];
  const args = [...kind.guestArgs(options.cwd), ...(options.flags ?? []), guestFile(options.entry ?? 'main')];
  return new ProcessGroup(binary, args, {
    cwd: options.cwd,
    env: guestEnv(process.env, kind.guestEnv, link),
  });
}

/** The guest's hello, or why there will be none. */
async function awaitHello(
  group: ProcessGroup,
  called: Promise<GuestConnection>,
  { spec }: FoundRuntime,
  { timeoutMs, signal }: StartOptions,
): Promise<GuestConnection> {
  return new Promise((resolve, reject) => {
    const giveUp = (error: ToolError) => {
      clearTimeout(late);
      signal?.removeEventListener('abort', interrupted);
      group.kill();
      void group.ended.then(() => reject(error));
    };
    const interrupted = () => giveUp(new ToolError('interrupted'));
    const late = setTimeout(() => {
      const detail = `nothing within ${timeoutMs} ms`;
      giveUp(new ToolError('guest-silent', { value: spec, detail, output: group.excerpt() }));
    }, timeoutMs);
    signal?.addEventListener('abort', interrupted, { once: true });
    void group.ended.then((ending) => giveUp(silentError(spec, ending, group.excerpt())));
    void called.then((line) => {
      clearTimeout(late);
      signal?.removeEventListener('abort', interrupted);
      resolve(line);
    });
  });
}

/** A binary that is not what its file was taken for: a wrapper, or one replaced since it was looked at. */
function assertSame(runtime: FoundRuntime, { hello }: Guest): void {
  const { name, version } = hello.runtime;
  if (name === runtime.name && version === runtime.version) return;
  throw new ToolError('runtime-missing', {
    value: runtime.spec,
    detail: `${runtime.binary} turned out to be ${name} ${version}`,
  });
}

async function start(runtime: FoundRuntime, options: StartOptions): Promise<Guest> {
  const { signal } = options;
  if (signal?.aborted) throw new ToolError('interrupted');
  const token = randomBytes(16).toString('hex');
  const { promise: called, resolve: call } = withResolver<GuestConnection>();
  const port = await switchboard.expect(token, call);
  try {
    const group = launch(runtime, options, `${port}:${token}`);
    const line = await awaitHello(group, called, runtime, options);
    const guest = new ConnectedGuest(line, group, options.timeoutMs);
    const interrupted = () => guest.stop(new ToolError('interrupted'));
    signal?.addEventListener('abort', interrupted, { once: true });
    void group.ended.then(() => signal?.removeEventListener('abort', interrupted));
    if (signal?.aborted) interrupted();
    return checked(runtime, guest);
  } finally {
    switchboard.forget(token);
  }
}

function checked(runtime: FoundRuntime, guest: ConnectedGuest): ConnectedGuest {
  try {
    assertSame(runtime, guest);
    return guest;
  } catch (error) {
    if (error instanceof ToolError) guest.stop(error);
    throw error;
  }
}

function withResolver<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Guests as processes of this machine's runtimes. Every error is a ToolError; no guest outlives this process. */
export const processDriver: RuntimeDriver = { start };
