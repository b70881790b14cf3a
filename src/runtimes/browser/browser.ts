/** Starts browsers in fresh profiles, and drives them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ownedFolder } from '../../machine/temp-folders.ts';
import { orElse } from '../../model/or-else.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { lineCutter } from '../process/driver.ts';
import type { Environment } from '../process/kinds.ts';
import { PROFILE, ProcessGroup, startIn } from '../process/supervisor.ts';
import type { BrowserKind } from './kinds.ts';

const HOMES = ['HOME', 'TMPDIR', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_RUNTIME_DIR'];

const KEPT = ['PATH', 'LANG', 'LD_LIBRARY_PATH', 'SYSTEMROOT', 'WINDIR', 'PROGRAMFILES', 'LOCALAPPDATA'];

/** A process in a fresh home folder, with a folder for the profile in it. Both go with the process. */
export function withProfile(
  start: (
    profile: string,
    home: string,
  ) => { file: string; args: readonly string[]; env: Environment; pipes?: number },
): ProcessGroup {
  return startIn(ownedFolder(PROFILE), (home) => {
    const profile = join(home, 'profile');
    mkdirSync(profile);
    const { file, args, env, pipes = 0 } = start(profile, home);
    return new ProcessGroup(file, args, { ...{ cwd: home, env, pipes }, endsStrays: true, folder: home });
  });
}

function ownEnvironment(home: string, profile: string): Environment {
  // Nothing of the user but what a start needs.
  const env: Record<string, string | undefined> = { XAUTHORITY: join(profile, 'xauthority') };
  for (const name of KEPT) env[name] = process.env[name];
  for (const name of HOMES) env[name] = home;
  return env;
}

export type DrivenBrowser = ProcessGroup & { devtools: DevTools; home: string };

export const startBrowser = (runtime: FoundRuntime, kind: BrowserKind, url: string): ProcessGroup =>
  started(runtime, kind, (profile) => kind.args(profile, url));

export function startDriven(
  runtime: FoundRuntime,
  kind: BrowserKind,
  args: (profile: string) => readonly string[],
): DrivenBrowser {
  const group = started(runtime, kind, args, 2);
  const [input, output] = [group.pipe(4) as Socket, (group.pipe(3) as Socket).unref()];
  const devtools = new DevTools(input, output);
  // It keeps this program running only while an answer is waited for.
  devtools.onWaiting = (isWaiting) => (isWaiting ? input.ref() : input.unref());
  devtools.onWaiting(false);
  return Object.assign(group, { home: group.folder!, devtools });
}

const started = (
  { binary }: FoundRuntime,
  kind: BrowserKind,
  argsFor: (profile: string) => readonly string[],
  pipes = 0,
): ProcessGroup =>
  withProfile((profile, home) => {
    for (const [name, content] of Object.entries(kind.profile?.() ?? {}))
      writeFileSync(join(profile, name), content, { mode: 0o600 });
    const own = argsFor(profile);
    const [file, args] = kind.command?.(binary, own) ?? [binary, own];
    return { file, args, pipes, env: { ...ownEnvironment(home, profile), ...kind.env } };
  });

export type JsonFields = Record<string, unknown>;

interface Message {
  id?: number;
  method?: string;
  params?: JsonFields;
  sessionId?: string;
  result?: JsonFields;
}

/** `session`: the target that the event comes from; '' is the browser. */
export type OnEvent = (method: string, params: JsonFields, session: string) => void;

/** Longest message of the browser, which may hold data that a page posts. */
const MAX_BYTES = 2 ** 27;

/** The DevTools protocol over two pipes of a browser that was started with `--remote-debugging-pipe`: no port is open. */
export class DevTools {
  readonly #output: Writable;
  readonly #waiting = new Map<number, { session: string; answer: (result: JsonFields | null) => void }>();
  #last = 0;
  #isOpen = true;
  onEvent: OnEvent = () => undefined;
  /** Called with true when a command is sent, and with false when all commands are answered. */
  onWaiting: (isWaiting: boolean) => unknown = () => undefined;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    const cut = lineCutter(
      0,
      () => MAX_BYTES,
      (line) => this.#receive(String(line)),
      () => this.#close(),
    );
    input.on('data', cut);
    input.on('close', () => this.#close());
    for (const stream of [input, output]) stream.on('error', () => this.#close());
  }

  /** null if the browser refuses the command or has ended, or the session has. */
  send(method: string, params: JsonFields = {}, session = ''): Promise<JsonFields | null> {
    if (!this.#isOpen) return Promise.resolve(null);
    const id = ++this.#last;
    const text = JSON.stringify({ id, method, params, ...(session && { sessionId: session }) });
    return new Promise((resolve) => {
      this.#waiting.set(id, { session, answer: resolve });
      this.onWaiting(true);
      this.#output.write(`${text}\0`);
    });
  }

  #close(): void {
    this.#isOpen = false;
    for (const id of this.#waiting.keys()) this.#answer(id, null);
  }

  #answer(id: number, result: JsonFields | null): void {
    this.#waiting.get(id)?.answer(result);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.onWaiting(false);
  }

  #receive(text: string): void {
    const message = orElse(() => JSON.parse(text) as Message | null, null);
    const { id, method, params = {}, sessionId = '', result = null } = message ?? {};
    if (id !== undefined) this.#answer(id, result);
    // The browser does not answer commands of a session that is gone.
    if (method === 'Target.detachedFromTarget')
      for (const [sent, { session }] of this.#waiting)
        if (session === params.sessionId) this.#answer(sent, null);
    if (method !== undefined) this.onEvent(method, params, sessionId);
  }
}
