/** A guest as the host has it: its requests, its end, and checks of all that it sends. */
import { deferred, timerMs, within } from '../../machine/waiting.ts';
import { type ErrorCode, MESSAGES, ToolError } from '../../model/errors.ts';
import type { FoundRuntime, Guest, StartOptions } from '../../model/run/runtime.ts';
import * as s from '../../model/schema.ts';
import { ANSWERS, failedSchema, type Hello, helloSchema } from '../../model/wire/answers.ts';
import {
  type AnswerTo,
  type Failed,
  type GuestRequest,
  type Link,
  type NumberedRequest,
  STAGES,
  type Stage,
} from '../../model/wire/wire.ts';

/** The running program behind a guest: a process group, a page of a browser, or a tab that the tool does not own. */
export interface Body {
  kill(): void;
  /** No request is open, or one is again: an idle body should leave the processor to the guests that are measured. */
  idle?(isIdle: boolean): void;
  /** The error is for requests that still wait. */
  readonly ended: Promise<ToolError>;
  excerpt(): string;
}

const DOING: Record<GuestRequest['type'] | Stage, string> = {
  open: 'opening it',
  build: 'building the payload',
  describe: 'describing the payload',
  confirm: 'posting the payload',
  losses: 'comparing what arrives',
  peer: 'starting the receiver and building the payload on both sides',
  schema: 'reading the schema of the payload',
  prove: 'proving the rewrites',
  measure: 'measuring',
  dimensions: 'looking for what can grow',
  profile: 'profiling',
  'branch-bytes': 'serializing the payload without its branches',
  sample: 'writing a sample',
  memory: 'measuring memory',
  exit: 'ending',
};

/** The host's end of the link: its messages are not checked yet. */
export interface HostLink extends Link<NumberedRequest, unknown> {
  /** The longest message that may arrive now, in bytes. */
  mostBytes: number;
}

export interface GuestTerms {
  timeoutMs: number;
  /** True: the guest is asked to exit. False: it is killed at once, because no user code waits for its end. */
  asksToExit: boolean;
  /** Maximum time of its end, ms; by default half a second. */
  graceMs?: number | undefined;
}

// Checks all of a message, or throws a Mismatch: user code shares the process of its guest.

/** Thousands of long patterns, or of exports. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Millions of samples. A line is held twice while it is put together. */
const MAX_BYTES_OF_SAMPLES = 64 * 1024 * 1024;

export class Mismatch extends Error {
  override name = 'Mismatch';
}

/** ".proofs[0].equality: invalid value". The messages of zod itself depend on what else is loaded. */
const mismatchText = ({ path, code, message }: s.Issue): string =>
  `${s.pathText(path)}: ${code === 'custom' ? message : code.replace('_', ' ')}`;

/** Ends at the first fault: a list of millions may have millions. @throws Mismatch */
function checked<T>(schema: s.Schema<T>, message: unknown): T {
  const terms: s.Terms = { abortEarly: true };
  const result = s.safeParse(schema, message, terms);
  if (result.success) return result.data;
  throw new Mismatch(mismatchText(result.error.issues[0]!));
}

export function messageIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Mismatch('it is not JSON');
  }
}

export const helloIn = (message: unknown): Hello => checked(helloSchema, message);

const numbered = s.object({ id: s.number(), type: s.string() });
const progress = s.object({ stage: s.oneOf(STAGES) });

export function answerTo(request: GuestRequest, message: unknown): AnyAnswer {
  if (checked(numbered, message).type === 'failed') return checked(failedSchema, message);
  const schemaFor = ANSWERS[request.type] as (request: GuestRequest) => s.Schema<AnyAnswer>;
  return checked(schemaFor(request), message);
}

type AnyAnswer = AnswerTo<GuestRequest['type']> | Failed;

interface PendingRequest {
  request: GuestRequest;
  stage: Stage | null;
  resolve(answer: AnyAnswer): void;
  reject(error: ToolError): void;
}

/** For exit handlers of user code, a page that makes room, and between the ends of a body and its link. */
const GRACE_MS = 500;

/** Its address is secret, and cannot be opened afterwards. */
const FRAME_OF_PAGE = /https?:\/\/\S+\/guest\/\S+:\d+:\d+/;

/** An unexpected error of a process keeps its stack. */
function errorOf({ code, message, facts, stack }: Failed): ToolError {
  if (Object.hasOwn(MESSAGES, code) && facts) return ToolError.again(code as ErrorCode, facts);
  const detail = stack === undefined || FRAME_OF_PAGE.test(stack) ? message : stack;
  return new ToolError('internal', { detail });
}

export class ConnectedGuest implements Guest {
  readonly hello: Hello;
  readonly #link: HostLink;
  readonly #body: Body;
  readonly #terms: GuestTerms & { graceMs: number };
  readonly #pending = new Map<number, PendingRequest>();
  #lastId = 0;
  /** Why no more requests are sent. */
  #over: ToolError | null = null;

  constructor(hello: Hello, link: HostLink, body: Body, terms: GuestTerms) {
    this.hello = hello;
    this.#link = link;
    this.#body = body;
    this.#terms = { ...terms, graceMs: terms.graceMs ?? GRACE_MS };
    link.onMessage = (message) => this.#receive(message);
    void link.closed.then((refused) => this.#closed(refused));
    void body.ended.then((error) => this.#end(error));
    body.idle?.(true);
  }

  get dead(): boolean {
    return this.#over !== null;
  }

  async ask<R extends GuestRequest>(
    request: R,
    { deadlineMs = this.#terms.timeoutMs }: { deadlineMs?: number } = {},
  ): Promise<AnswerTo<R['type']>> {
    if (this.#over) throw this.#over;
    const id = ++this.#lastId;
    const { promise, resolve, reject } = deferred<AnyAnswer>();
    const pending: PendingRequest = { request, stage: null, resolve, reject };
    const deadline = setTimeout(() => this.#timeOut(deadlineMs, pending), timerMs(deadlineMs));
    this.#pending.set(id, pending);
    this.#limit();
    this.#link.send({ ...request, id });
    const answer = await promise.finally(() => clearTimeout(deadline));
    if (answer.type === 'failed') throw errorOf(answer);
    return answer as AnswerTo<R['type']>;
  }

  stopWith(signal: StartOptions['signal']): void {
    const interrupted = () => this.stop(new ToolError('interrupted'));
    signal?.addEventListener('abort', interrupted, { once: true });
    void this.#body.ended.then(() => signal?.removeEventListener('abort', interrupted));
    if (signal?.aborted) interrupted();
  }

  /** Stops a guest whose runtime differs from the expected runtime: the binary is a wrapper, or was replaced since. */
  mustBe({ name, version, binary, spec }: FoundRuntime, sameVersion: boolean): void {
    const { runtime } = this.hello;
    if (runtime.name === name && (!sameVersion || runtime.version === version)) return;
    const detail = `${binary} turned out to be ${runtime.name} ${runtime.version}`;
    const error = new ToolError('runtime-missing', { value: spec, detail });
    this.stop(error);
    throw error;
  }

  /** Kills the guest. The reason becomes the error of every pending request. */
  stop(reason: ToolError): void {
    this.#over ??= reason;
    this.#body.kill();
  }

  async close(): Promise<void> {
    if (this.#over) return void (await this.#body.ended);
    this.#over = new ToolError('interrupted');
    this.#body.idle?.(false);
    if (this.#terms.asksToExit) this.#link.send({ type: 'exit', id: ++this.#lastId });
    else this.#body.kill();
    const timer = setTimeout(() => this.#body.kill(), this.#terms.graceMs);
    await this.#body.ended;
    clearTimeout(timer);
  }

  #timeOut(ms: number, { request, stage }: PendingRequest): void {
    const detail = DOING[stage ?? request.type];
    this.stop(new ToolError('guest-timeout', { ms: Math.round(ms), detail, output: this.#body.excerpt() }));
  }

  /** Nothing may arrive that was not asked for. */
  #limit(): void {
    const sizes = [...this.#pending.values()].map(({ request }) =>
      request.type === 'measure' ? MAX_BYTES_OF_SAMPLES : MAX_BYTES,
    );
    this.#link.mostBytes = Math.max(0, ...sizes);
    this.#body.idle?.(this.#pending.size === 0);
  }

  #receive(message: unknown): void {
    if (this.#over) return;
    try {
      const { id, type } = checked(numbered, message);
      const pending = this.#pending.get(id);
      if (!pending) throw new Mismatch(`an answer to request ${id}, which is not open`);
      if (type === 'progress') {
        pending.stage = checked(progress, message).stage;
        return;
      }
      pending.resolve(answerTo(pending.request, message));
      this.#pending.delete(id);
      this.#limit();
    } catch (error) {
      if (!(error instanceof Mismatch)) throw error;
      this.#refuse(error.message);
    }
  }

  #refuse(detail: string): void {
    this.stop(new ToolError('guest-protocol', { detail, output: this.#body.excerpt() }));
  }

  /** When the link closes and the body does not end, the guest is broken. */
  async #closed(refused: string | null): Promise<void> {
    if (refused !== null) this.#refuse(refused);
    // A page goes to the next page when it gets the request to exit.
    await within(this.#over === null ? GRACE_MS : this.#terms.graceMs, this.#body.ended);
    this.#body.kill();
  }

  async #end(error: ToolError): Promise<void> {
    // An answer may still arrive; the timer keeps the event loop alive for it.
    await within(GRACE_MS, this.#link.closed);
    this.#link.close();
    this.#over ??= error;
    for (const pending of this.#pending.values()) pending.reject(this.#over);
  }
}
