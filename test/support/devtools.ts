/** Pages of Chromium, driven by the DevTools protocol over pipes: no port, no package. All of a process share one browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { DevTools, type JsonFields, type OnEvent } from '../../src/runtimes/browser/browser.ts';
import { chromium } from '../../src/runtimes/browser/kinds.ts';
import { tempFolder } from './temp-folder.ts';

/** Chromium reads commands from its file descriptor 3 and writes to 4. */
const PIPES = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] as const;

class Chromium {
  /** Of events, by the session that they are of. */
  readonly listeners = new Map<string, OnEvent>();
  readonly #child: ChildProcess;
  readonly #profile = tempFolder('devtools');
  readonly #devtools: DevTools;

  constructor(binary: string) {
    const args = chromium
      .args(this.#profile, 'about:blank')
      // As people start it.
      .filter((arg) => !arg.startsWith('--js-flags'));
    this.#child = spawn(binary, ['--remote-debugging-pipe', ...args], {
      stdio: [...PIPES],
      detached: true,
      env: { ...process.env, HOME: this.#profile, TMPDIR: this.#profile },
    });
    const [, , , input, output] = this.#child.stdio;
    this.#devtools = new DevTools(output as Readable, input as Writable);
    this.#devtools.onEvent = (method, params, session) =>
      this.listeners.get(session)?.(method, params, session);
  }

  async send(method: string, params: JsonFields = {}, session = ''): Promise<JsonFields> {
    const answer = await this.#devtools.send(method, params, session);
    if (answer === null) throw new Error(`the browser refused ${method} ${JSON.stringify(params)}`);
    return answer;
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    // Its other processes write the profile a little longer than it does.
    process.kill(-this.#child.pid!, 'SIGKILL');
    await ended;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

let started: Chromium | null = null;

export async function closeChromium(): Promise<void> {
  const browser = started;
  started = null;
  await browser?.close();
}

export class ChromiumPage {
  /** Addresses that the page and its workers asked for, and errors that they logged. */
  readonly requests: string[] = [];
  readonly problems: string[] = [];
  readonly #browser: Chromium;
  readonly #context: string;
  readonly #session: string;

  private constructor(browser: Chromium, context: string, session: string) {
    this.#browser = browser;
    this.#context = context;
    this.#session = session;
    browser.listeners.set(session, (method, params) => this.#receive(method, params));
  }

  /** With a profile of its own. @param binary that of all pages @param size of the window, in CSS pixels */
  static async open(
    binary: string,
    address: string,
    [width, height]: [number, number] = [1280, 900],
  ): Promise<ChromiumPage> {
    started ??= new Chromium(binary);
    const browser = started;
    const { browserContextId } = await browser.send('Target.createBrowserContext');
    const blank = { url: 'about:blank', browserContextId, width, height };
    const { targetId } = await browser.send('Target.createTarget', blank);
    const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new ChromiumPage(browser, browserContextId as string, sessionId as string);
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await page.send(`${domain}.enable`);
    await page.send('Emulation.setFocusEmulationEnabled', { enabled: true });
    await page.send('Page.navigate', { url: address });
    await page.until('document.readyState === "complete"');
    return page;
  }

  send(method: string, params: JsonFields = {}): Promise<JsonFields> {
    return this.#browser.send(method, params, this.#session);
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
    // Most take a moment; what takes longer is not asked more often for it.
    let pauseMs = 20;
    while (!(await this.evaluate<boolean>(`Boolean(${expression})`).catch(() => false))) {
      if (performance.now() > end) throw new Error(`not within ${timeoutMs} ms: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(500, pauseMs * 1.5);
    }
  }

  async close(): Promise<void> {
    this.#browser.listeners.delete(this.#session);
    await this.#browser.send('Target.disposeBrowserContext', { browserContextId: this.#context });
  }

  #receive(method: string, params: JsonFields): void {
    if (method === 'Network.requestWillBeSent') {
      this.requests.push((params.request as { url: string }).url);
    } else if (method === 'Log.entryAdded') {
      this.problems.push((params.entry as { text: string }).text);
    } else if (method === 'Runtime.exceptionThrown') {
      this.problems.push(JSON.stringify(params.exceptionDetails));
    }
  }
}
