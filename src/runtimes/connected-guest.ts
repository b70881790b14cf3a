import { type ErrorCode, MESSAGES, ToolError } from '../model/errors.ts';
import type { Link } from '../model/link.ts';
import type { Guest } from '../model/runtime.ts';
import type {
  Answer,
  AnswerTo,
  Failed,
  FromGuest,
  GuestRequest,
  Hello,
  NumberedRequest,
} from '../model/wire.ts';
import type { Body } from './body.ts';

type HostLink = Link<NumberedRequest, FromGuest>;

interface PendingRequest {
  resolve(answer: Answer): void;
  reject(error: ToolError): void;
}

/** Time for exit handlers of user code after the request to exit. */
const EXIT_MS = 500;
/** Longest time between the end of the body and the end of its link. */
const APART_MS = 500;

const isCode = (code: string): code is ErrorCode => Object.hasOwn(MESSAGES, code);

/** The error of the guest; an unexpected one keeps its stack. */
function errorOf({ code, message, facts, stack }: Failed): ToolError {
  if (isCode(code) && facts) return new ToolError(code, facts);
  return new ToolError('internal', { detail: stack ?? message });
}

/** Waits for `event`, but no longer than `ms`. */
async function within(ms: number, event: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([event, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}

/** A guest after its hello, of any kind of runtime: sends requests and matches the answers, until either side ends. */
export class ConnectedGuest implements Guest {
  readonly hello: Hello;
  readonly #link: HostLink;
  readonly #body: Body;
  readonly #timeoutMs: number;
  readonly #pending = new Map<number, PendingRequest>();
  #lastId = 0;
  /** Why no more requests are sent. */
  #over: ToolError | null = null;

  constructor(hello: Hello, link: HostLink, body: Body, timeoutMs: number) {
    this.hello = hello;
    this.#link = link;
    this.#body = body;
    this.#timeoutMs = timeoutMs;
    link.onMessage = (message) => this.#receive(message);
    // User code cannot reach the link: when it closes and the body does not end, the guest is broken.
    void link.closed.then(() => within(APART_MS, body.ended)).then(() => body.kill());
    void body.ended.then((error) => this.#end(error));
  }

  get dead(): boolean {
    return this.#over !== null;
  }

  async ask<R extends GuestRequest>(
    request: R,
    { deadlineMs = this.#timeoutMs }: { deadlineMs?: number } = {},
  ): Promise<AnswerTo<R['type']>> {
    const answer = await this.#post(request, deadlineMs);
    if (answer.type === 'failed') throw errorOf(answer);
    return answer as unknown as AnswerTo<R['type']>;
  }

  /** Kills the guest. The reason becomes the error of every pending request. */
  stop(reason: ToolError): void {
    this.#over ??= reason;
    this.#body.kill();
  }

  async close(): Promise<void> {
    if (this.#over) return void (await this.#body.ended);
    this.#over = new ToolError('interrupted');
    this.#link.send({ type: 'exit', id: ++this.#lastId });
    const timer = setTimeout(() => this.#body.kill(), EXIT_MS);
    await this.#body.ended;
    clearTimeout(timer);
  }

  #post(request: GuestRequest, ms: number): Promise<Answer> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      const deadline = setTimeout(() => this.#timeOut(ms), ms);
      const settling = <T>(settle: (result: T) => void) => {
        return (result: T) => {
          clearTimeout(deadline);
          this.#pending.delete(id);
          settle(result);
        };
      };
      this.#pending.set(id, { resolve: settling(resolve), reject: settling(reject) });
      this.#link.send({ ...request, id });
    });
  }

  #timeOut(ms: number): void {
    this.stop(new ToolError('guest-timeout', { ms, output: this.#body.excerpt() }));
  }

  #receive(message: FromGuest): void {
    if (message.type !== 'hello') this.#pending.get(message.id)?.resolve(message);
  }

  async #end(error: ToolError): Promise<void> {
    // An answer may still arrive; the timer keeps the event loop alive for it.
    await within(APART_MS, this.#link.closed);
    this.#link.close();
    this.#over ??= error;
    for (const pending of [...this.#pending.values()]) pending.reject(this.#over);
  }
}
