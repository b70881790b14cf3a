import type { Socket } from 'node:net';
import { type ErrorCode, MESSAGES, ToolError } from '../model/errors.ts';
import type { Guest } from '../model/runtime.ts';
import type { Answer, AnswerTo, Failed, FromGuest, GuestRequest, Hello } from '../model/wire.ts';
import type { GuestConnection } from './process/guest-server.ts';
import { exitError } from './process/process-exit.ts';
import type { ProcessExit, ProcessGroup } from './process/process-group.ts';

type AskOptions = Parameters<Guest['ask']>[1];

interface Question {
  resolve(answer: Answer): void;
  reject(error: ToolError): void;
  onProgress: ((done: number, of: number, what: string) => void) | undefined;
}

/** How long exit handlers of user code may take when the guest is told to leave. */
const LEAVE_MS = 500;
/** How long the end of the process and of its line may be apart. */
const APART_MS = 500;

const isCode = (code: string): code is ErrorCode => Object.hasOwn(MESSAGES, code);

/** The guest's error as it was there; an unexpected one keeps its stack. */
function failedError({ code, message, facts, stack }: Failed): ToolError {
  if (isCode(code) && facts) return new ToolError(code, facts);
  return new ToolError('internal', { detail: stack ?? message });
}

/** Waits for `event`, though no longer than `ms`. */
async function within(ms: number, event: Promise<unknown>): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  await Promise.race([event, new Promise((resolve) => (late = setTimeout(resolve, ms)))]);
  clearTimeout(late);
}

/** A guest that has said hello: questions go out, answers come back in order, until either side ends. */
export class ConnectedGuest implements Guest {
  readonly hello: Hello;
  readonly #group: ProcessGroup;
  readonly #socket: Socket;
  readonly #timeoutMs: number;
  readonly #questions = new Map<number, Question>();
  readonly #closed: Promise<void>;
  #asked = 0;
  /** Why nothing more can be asked. */
  #over: ToolError | null = null;

  constructor(line: GuestConnection, group: ProcessGroup, timeoutMs: number) {
    this.hello = line.hello;
    this.#group = group;
    this.#socket = line.socket;
    this.#timeoutMs = timeoutMs;
    this.#closed = new Promise((resolve) => line.socket.once('close', () => resolve()));
    line.onMessage = (message) => this.#hear(message);
    // A line that ends before its process: user code cannot reach it, so the process is beyond use.
    void this.#closed.then(() => within(APART_MS, group.ended)).then(() => group.kill());
    void group.ended.then((ending) => this.#bury(ending));
  }

  get dead(): boolean {
    return this.#over !== null;
  }

  output(): string {
    return this.#group.output();
  }

  async ask<A extends GuestRequest>(request: A, options: AskOptions = {}): Promise<AnswerTo<A['type']>> {
    const ms = options.deadlineMs ?? this.#timeoutMs;
    const answer = await this.#question(request, ms, options.onProgress);
    if (answer.type === 'failed') throw failedError(answer);
    return answer as unknown as AnswerTo<A['type']>;
  }

  /** Ends the guest for a reason; every question that waits is answered with it. */
  stop(reason: ToolError): void {
    this.#over ??= reason;
    this.#group.kill();
  }

  async close(): Promise<void> {
    if (this.#over) return void (await this.#group.ended);
    this.#over = new ToolError('interrupted');
    this.#socket.write(`${JSON.stringify({ type: 'exit', id: ++this.#asked })}\n`);
    const late = setTimeout(() => this.#group.kill(), LEAVE_MS);
    await this.#group.ended;
    clearTimeout(late);
  }

  #question(request: GuestRequest, ms: number, onProgress: Question['onProgress']): Promise<Answer> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      const deadline = setTimeout(() => this.#late(ms), ms);
      const settled = <T>(settle: (outcome: T) => void) => {
        return (outcome: T) => {
          clearTimeout(deadline);
          this.#questions.delete(id);
          settle(outcome);
        };
      };
      this.#questions.set(id, { resolve: settled(resolve), reject: settled(reject), onProgress });
      this.#socket.write(`${JSON.stringify({ ...request, id })}\n`);
    });
  }

  #late(ms: number): void {
    this.stop(new ToolError('guest-timeout', { ms, output: this.#group.excerpt() }));
  }

  #hear(message: FromGuest): void {
    if (message.type === 'hello') return;
    const question = this.#questions.get(message.id);
    if (message.type === 'progress') question?.onProgress?.(message.done, message.of, message.what);
    else question?.resolve(message);
  }

  async #bury(ending: ProcessExit): Promise<void> {
    // An answer may still be on the line.
    this.#socket.ref();
    await within(APART_MS, this.#closed);
    this.#socket.destroy();
    const output = { all: this.#group.output(), excerpt: this.#group.excerpt() };
    this.#over ??= exitError(ending, output);
    for (const question of [...this.#questions.values()]) question.reject(this.#over);
  }
}
