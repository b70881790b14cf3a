/** A page of Chromium, driven by the DevTools protocol over pipes: no port, no package. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { chromium } from '../../src/runtimes/browser/kinds/chromium.ts';

interface Message {
  id?: number;
  method?: string;
  params?: Record<string, unknown>;
  sessionId?: string;
  result?: Record<string, unknown>;
  error?: { message: string };
}

/** Chromium reads commands from its file descriptor 3 and writes to 4, each a JSON text that ends with a zero byte. */
const PIPES = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;

export class ChromiumPage {
  /** Addresses that the page and its workers asked for, and errors that they logged. */
  readonly requests: string[] = [];
  readonly problems: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile = mkdtempSync(join(tmpdir(), 'clone-prof-devtools-'));
  readonly #waiting = new Map<number, (message: Message) => void>();
  #session: string | null = null;
  #last = 0;

  /** @param size of the window, in CSS pixels */
  private constructor(binary: string, [width, height]: [number, number]) {
    const args = chromium
      .args(this.#profile, 'about:blank')
      // As people start it.
      .filter((arg) => !arg.startsWith('--js-flags'));
    this.#child = spawn(binary, ['--remote-debugging-pipe', `--window-size=${width},${height}`, ...args], {
      stdio: [...PIPES],
      detached: true,
      env: { ...process.env, HOME: this.#profile, TMPDIR: this.#profile },
    });
    let text = '';
    const output = this.#child.stdio[4] as Readable;
    output.setEncoding('utf8').on('data', (piece: string) => {
      const parts = (text + piece).split('\0');
      text = parts.pop() ?? '';
      for (const part of parts) this.#receive(JSON.parse(part) as Message);
    });
  }

  static async open(
    binary: string,
    address: string,
    size: [number, number] = [1280, 900],
  ): Promise<ChromiumPage> {
    const page = new ChromiumPage(binary, size);
    const { targetInfos } = await page.send('Target.getTargets');
    const target = (targetInfos as { type: string; targetId: string }[]).find(({ type }) => type === 'page');
    const attached = await page.send('Target.attachToTarget', { targetId: target?.targetId, flatten: true });
    page.#session = attached.sessionId as string;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Page.navigate', { url: address });
    await page.until('document.readyState === "complete"');
    return page;
  }

  send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const id = ++this.#last;
    const sessionId = this.#session ?? undefined;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, ({ result, error }) => {
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
    });
  }

  /** The value of an expression in the page; promises are awaited. */
  async evaluate<T>(expression: string): Promise<T> {
    const answer = await this.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: true,
    });
    const { result, exceptionDetails } = answer as {
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    };
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true in the page. @throws Error when it is not in time */
  async until(expression: string, timeoutMs = 60_000): Promise<void> {
    const end = performance.now() + timeoutMs;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
      if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    // Its other processes write the profile a little longer than it does.
    process.kill(-this.#child.pid!, 'SIGKILL');
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }

  #receive({ id, method, params = {}, ...message }: Message): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.(message);
      this.#waiting.delete(id);
    } else if (method === 'Network.requestWillBeSent') {
      this.requests.push((params.request as { url: string }).url);
    } else if (method === 'Log.entryAdded') {
      this.problems.push((params.entry as { text: string }).text);
    } else if (method === 'Runtime.exceptionThrown') {
      this.problems.push(JSON.stringify(params.exceptionDetails));
    }
  }
}
