import { analyzeSources } from '../../app/analyze/analyze.ts';
import { runningBrowser } from '../../engines/probe/browser.ts';
import { pageProbe } from '../../engines/probe/page-probe.ts';
import { runGuest, runPeer } from '../../guest/guest-and-peer.ts';
import { type PageParts, startPart } from '../../guest/platform/common/parts.ts';
import { embeddedPage } from '../../guest/platform/page/page-platform.ts';
import type { PayloadReport, Report, RunError } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, ENGINE_OF, runtimesWithWorkers } from '../../model/names.ts';
import { type AppEvent, STEPS } from '../../model/run/events.ts';
import { DEFAULTS, type FoundRuntime, type RuntimeDriver } from '../../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../model/wire/wire.ts';
import { chartMarkup, TEXTURES } from '../../report/html/charts/charts.ts';
import { html, type Markup, nodesMarkup } from '../../report/html/markup.ts';
import { section } from '../../report/nodes.ts';
import { answerNodes } from '../../report/print/answer.ts';
import { detailNodes } from '../../report/print/details.ts';
import { escapedJson } from '../../report/text/escape.ts';
import { sentenceCase } from '../../report/words.ts';
import { type Body, ConnectedGuest, type HostLink } from '../../runtimes/guests/connected-guest.ts';
import { byId, Input, pastedSource, refuseSize } from './input.ts';

/** A worker of this page. The user's code can keep it busy, but neither the page nor the next guest. */
function workerOf(parts: PageParts): { link: HostLink; body: Body } {
  const worker = startPart(parts, 'main');
  let end: (error: ToolError) => void = () => undefined;
  const ended = new Promise<ToolError>((resolve) => {
    end = resolve;
  });
  const stop = (detail: string) => {
    worker.terminate();
    end(new ToolError('guest-crashed', { detail }));
  };
  const link: HostLink = {
    send: (request) => worker.postMessage(request),
    onMessage: () => undefined,
    closed: ended.then(() => null),
    close: () => undefined,
    mostBytes: 0,
  };
  worker.onmessage = ({ data }) => link.onMessage(data);
  worker.onerror = (event) => {
    event.preventDefault();
    stop(event.message || 'its worker could not be started');
  };
  return { link, body: { ended, kill: () => stop('its worker was ended'), excerpt: () => '' } };
}

/**
 * Starts guests as workers of this page. Each is fresh: engines give every worker a separate heap and separately
 * compiled code. For a runtime that is not installed, a guest describes the payload as that engine would store it. A
 * payload that ended the guest that described it is not given to another guest.
 *
 * @param parts script of the page, and the files that recipes name
 */
function workerDriver(parts: PageParts, own: FoundRuntime): RuntimeDriver {
  const lost = new Map<string, unknown>();
  return {
    start: async (runtime, { timeoutMs, signal }) => {
      if (signal?.aborted) throw new ToolError('interrupted');
      const { link, body } = workerOf(parts);
      const { name, version, engine } = runtime;
      const hello = { type: 'hello', token: '', runtime: { name, version, engine } } as const;
      const guest = new ConnectedGuest(hello, link, body, { timeoutMs, asksToExit: false });
      guest.stopWith(signal);
      const ask = guest.ask.bind(guest);
      guest.ask = async <R extends GuestRequest>(request: R, terms?: { deadlineMs?: number }) => {
        if (request.type !== 'describe') return ask(request, terms);
        const { id } = request.recipe;
        if (lost.has(id)) throw lost.get(id);
        const assumed = runtime === own ? {} : { confirm: false, assume: engine };
        return (await ask({ ...request, ...assumed }, terms).catch((error: unknown) => {
          if (guest.dead) lost.set(id, error);
          throw error;
        })) as AnswerTo<R['type']>;
      };
      return guest;
    },
  };
}

/** A version later than every version that the rule book names. */
const NEWEST = '999999.0.0';

/** Limit for loading, describing and proving one payload. A script that never ends reaches it only once. */
const TIMEOUT_MS = 10_000;

/** All other runtimes that start workers, in their newest version. */
const otherRuntimes = (own: FoundRuntime): FoundRuntime[] =>
  runtimesWithWorkers()
    .filter((name) => name !== own.name)
    .map((name) => ({
      ...{ name, version: NEWEST, engine: ENGINE_OF[name], spec: name, binary: '', from: 'assumed' },
    }));

/** Messages that replace errors whose advice is about the command line. */
const PAGE_MESSAGES: Readonly<Record<string, string>> = {
  'guest-timeout': `No answer within ${TIMEOUT_MS / 1000} seconds, so it was ended. Either the code never ends, or the payload is too large for this page.`,
  'guest-crashed': 'The worker that held the payload ended, perhaps for lack of memory.',
  interrupted: 'Stopped.',
};

const readableError = (error: RunError | null): RunError | null =>
  error && { ...error, message: PAGE_MESSAGES[error.code] ?? error.message };

/** An error that all runtimes share becomes the error of the payload, so that it is printed once. */
function readablePayload(payload: PayloadReport): PayloadReport {
  const runs = payload.runs.map((run) => {
    const version = run.runtime.version === NEWEST ? 'newest' : run.runtime.version;
    return { ...run, runtime: { ...run.runtime, version }, error: readableError(run.error) };
  });
  const [first] = runs;
  const isUnread = first?.error != null && runs.every(({ error }) => error?.message === first.error?.message);
  return isUnread
    ? { ...payload, error: first.error, runs: [] }
    : { ...payload, error: readableError(payload.error), runs };
}

function unreadError({ payloads }: Report): string | null {
  const [first] = payloads;
  return payloads.every(({ error }) => error !== null) ? (first?.error?.message ?? 'Stopped.') : null;
}

/** True if this browser refused the payload and no rule explains it, as for a Proxy, which a page cannot detect. */
const refusedWithoutRule = ({ payloads }: Report): boolean =>
  payloads.some(
    ({ runs }) =>
      runs.some(({ verdict }) => verdict?.refusal !== undefined) &&
      runs.some(({ verdict }) => verdict !== null && verdict.class !== 'rejected'),
  );

/** Draws all payloads of a report in place of the earlier ones, as the HTML report does. */
function drawResults(into: HTMLElement, { payloads }: Report): void {
  const shown = payloads.map((payload) => section([answerNodes(payload), detailNodes(payload)]));
  into.replaceChildren(...elementsOf(html`${nodesMarkup(shown, { of: '', draw: chartMarkup })}`));
}

/** The only place that turns text into markup. The reporter has escaped all text except its own markup. */
const elementsOf = ({ source }: Markup): ChildNode[] => [
  ...new DOMParser().parseFromString(source, 'text/html').body.childNodes,
];

/** Writes the name of the pointed or focused part of a chart below it. */
function namePart({ target }: Event): void {
  const part = (target as Element).closest?.('.cells svg');
  const readout = part?.closest('figure')?.querySelector('.readout');
  if (readout) readout.textContent = part?.querySelector('title')?.textContent ?? '';
}

const order = (id: number) => ({
  id,
  customer: { id: id * 7, name: `Customer ${id}` },
  lines: [
    { sku: `A-${id}`, price: id / 4, count: 1 },
    { sku: `B-${id}`, price: id / 8, count: 2 },
  ],
});

const EXAMPLE = JSON.stringify({ orders: Array.from({ length: 40 }, (_, id) => order(id)) }, null, 1);

const DONE = {
  verdicts: 'What each engine does is below.',
  measured: 'The measured time and the advice are below.',
};

type Part = keyof typeof DONE;

class Playground {
  readonly #input = new Input();
  /** The workers run the text of the page's own script, since the page is a single file. */
  readonly #script = new Blob([byId('script').textContent ?? ''], { type: 'text/javascript' });
  #stop: AbortController | null = null;
  #report: Report | null = null;

  constructor() {
    this.#input.onChange = () => this.#name();
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#work('verdicts');
    });
    byId('measure').addEventListener('click', () => void this.#work('measured'));
    byId('stop').addEventListener('click', () => this.#stop?.abort());
    byId('example').addEventListener('click', () => {
      this.#input.show(EXAMPLE, 'json');
      void this.#work('measured');
    });
    byId('save').addEventListener('click', () => this.#save());
    document.body.prepend(...elementsOf(TEXTURES));
    for (const kind of ['focusin', 'pointerover']) document.addEventListener(kind, namePart);
    this.#name();
  }

  #name(): void {
    const isCode = this.#input.as === 'javascript';
    byId('classify').textContent = isCode ? 'Run this JavaScript, show engines' : 'Show what engines do';
    byId('measure').textContent = isCode ? 'Run this JavaScript, measure' : 'Measure in this browser';
    byId('hint').textContent = isCode
      ? 'An expression, or a module: each export is a payload, an exported function makes a fresh one. It runs in a worker, for at most 10 seconds.'
      : 'Paste it, or drop a file anywhere on this page.';
  }

  /** @param last part to show, which gets the focus */
  async #work(last: Part): Promise<void> {
    const refusal = refuseSize(this.#input.given().data.size);
    this.#tell('', refusal ?? '');
    if (refusal !== null || this.#stop !== null) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.#setBusy(true);
    try {
      const problem = await this.#show(last);
      this.#tell(problem === null ? DONE[last] : '', problem ?? '');
    } catch (error) {
      this.#tell('', `This page failed: ${error instanceof Error ? error.message : error}`);
    }
    if (signal.aborted) this.#tell('Stopped.', '');
    else if (byId('problem').textContent === '') byId(`${last}-title`).focus();
    // The stop button, which may have the focus, is hidden now.
    const isLeft = document.activeElement === byId('stop');
    this.#stop = null;
    this.#setBusy(false);
    if (isLeft) byId('classify').focus();
  }

  #tell(status: string, problem: string): void {
    byId('status').textContent = status;
    byId('problem').textContent = problem;
  }

  #setBusy(isBusy: boolean): void {
    for (const id of ['classify', 'measure', 'example']) byId<HTMLButtonElement>(id).disabled = isBusy;
    byId('stop').hidden = !isBusy;
    byId('progress').hidden = true;
    byId('save').hidden = this.#report === null;
  }

  /** @returns why the payload cannot be read, or null */
  async #show(last: Part): Promise<string | null> {
    for (const part of ['measured', 'verdicts'] as const) byId(`${part}-part`).hidden = true;
    const report = await this.#analyze(null);
    const problem = unreadError(report);
    if (problem !== null) return problem;
    byId('doubt').hidden = !refusedWithoutRule(report);
    this.#draw('verdicts', report);
    if (last === 'measured' && !this.#stop?.signal.aborted)
      this.#draw('measured', await this.#analyze(Number(byId<HTMLSelectElement>('budget').value)));
    return null;
  }

  /** @param budgetMs of measuring; null: verdicts by rules for this browser and the newest other runtimes */
  async #analyze(budgetMs: number | null): Promise<Report> {
    const browser = runningBrowser();
    const own = { ...browser, spec: `${browser.name}@${browser.version}`, binary: '', from: 'running' };
    const { source, files } = await pastedSource(this.#input.given());
    const measure = budgetMs !== null;
    const { hardwareConcurrency: cores, platform: os } = navigator;
    const report = await analyzeSources(
      {
        ...{ sources: [source], channels: [byId<HTMLSelectElement>('channel').value as Channel], cwd: '' },
        ...{ sender: 'worker', signal: this.#stop!.signal, exports: null, via: [], seed: DEFAULTS.seed },
        ...{ budgetMs: budgetMs ?? 0, measure, timeoutMs: TIMEOUT_MS },
        runtimes: { found: measure ? [own] : [own, ...otherRuntimes(own)], missing: [] },
      },
      {
        driver: workerDriver({ script: this.#script, files }, own),
        emit: (event) => this.#progress(event),
        version: document.documentElement.dataset.version ?? '',
        now: () => performance.now(),
        machine: { os, arch: '', cpu: '', cores, memoryBytes: 0 },
        today: () => new Date().toISOString().slice(0, 10),
      },
    );
    return { ...report, payloads: report.payloads.map(readablePayload) };
  }

  /** The status text changes once per step, and only the bar moves in between. */
  #progress(event: AppEvent): void {
    if (event.type !== 'step') return;
    const text = `${sentenceCase(STEPS[event.step])}…`;
    const status = byId('status');
    if (status.textContent !== text) status.textContent = text;
    const bar = byId<HTMLProgressElement>('progress');
    bar.hidden = event.step !== 'measure';
    bar.value = event.done / event.of;
  }

  #draw(part: Part, report: Report): void {
    this.#report = report;
    drawResults(byId(part), report);
    byId(`${part}-part`).hidden = false;
  }

  #save(): void {
    if (this.#report === null) return;
    const address = URL.createObjectURL(new Blob([escapedJson(this.#report)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'clone-prof.json';
    link.click();
    URL.revokeObjectURL(address);
  }
}

/**
 * The only script of the static page: for the page itself, its guests and their peers. A worker finds its role by the
 * fragment of its address, and gets the parts of the page with its first message. It is listening by the next message.
 */
function begin({ data }: MessageEvent<PageParts>): void {
  const platform = embeddedPage(data);
  if (location.hash === '#main') runGuest(platform, pageProbe(), null);
  else runPeer(platform, pageProbe());
}

// Workers do not have a document.
if ('document' in globalThis) new Playground();
else addEventListener('message', begin, { once: true });
