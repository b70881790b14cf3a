import { analyzeSources } from '../../app/analyze/analyze.ts';
import type { Tools } from '../../app/job/tools.ts';
import { runningBrowser } from '../../engines/probe/browser.ts';
import { type PageParts, startPart } from '../../guest/platform/common/parts.ts';
import type { PayloadReport, Report, RunError } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, ENGINE_OF, runtimesWithWorkers } from '../../model/names.ts';
import type { AppEvent, Emit } from '../../model/run/events.ts';
import {
  DEFAULTS,
  type FoundRuntime,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../model/wire/wire.ts';
import type { Chart, Node } from '../../report/doc.ts';
import { html, type Markup, nodesMarkup, table } from '../../report/html/markup.ts';
import { nodesOf, section, text } from '../../report/nodes.ts';
import { answerNodes } from '../../report/print/answer.ts';
import { detailNodes } from '../../report/print/details.ts';
import { NO_PAYLOADS } from '../../report/print/report.ts';
import { escapedJson } from '../../report/text/json.ts';
import type { Span } from '../../report/words.ts';
import { type Body, ConnectedGuest, type HostLink } from '../../runtimes/guests/connected-guest.ts';
import { type Given, Input, pastedSource, refuseSize } from './input.ts';

/** A worker of this page. The user's code can keep it busy, but neither the page nor the next guest. */
class GuestWorker implements Body {
  readonly ended: Promise<ToolError>;
  readonly link: HostLink;
  readonly #worker: Worker;
  #end: (error: ToolError) => void = () => undefined;

  constructor(parts: PageParts) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#worker = startPart(parts, 'main');
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#stop(event.message || 'its worker could not be started');
    };
    this.link = {
      send: (request) => this.#worker.postMessage(request),
      onMessage: () => undefined,
      closed: this.ended.then(() => null),
      close: () => undefined,
      mostBytes: 0,
    };
    this.#worker.onmessage = ({ data }) => this.link.onMessage(data);
  }

  kill(): void {
    this.#stop('its worker was ended');
  }

  excerpt(): string {
    return '';
  }

  #stop(detail: string): void {
    this.#worker.terminate();
    this.#end(new ToolError('guest-crashed', { detail }));
  }
}

/**
 * Starts guests as workers of this page, to run on its browser. Each is fresh: engines give every worker a separate
 * heap and separately compiled code.
 *
 * @param parts script of the page, and the files that recipes name
 */
const workerDriver = (parts: PageParts): RuntimeDriver => ({
  start: async ({ name, version, engine }, { timeoutMs, signal }: StartOptions): Promise<Guest> => {
    if (signal?.aborted) throw new ToolError('interrupted');
    const worker = new GuestWorker(parts);
    const hello = { type: 'hello', token: '', runtime: { name, version, engine } } as const;
    const guest = new ConnectedGuest(hello, worker.link, worker, { timeoutMs, asksToExit: false });
    guest.stopWith(signal);
    return guest;
  },
});

/**
 * Guests for this browser and for runtimes that are not installed: guests of this browser describe the payload as the
 * engines of the others would store it. A payload that ended its guest is not given to another one.
 */
export function assumingDriver(driver: RuntimeDriver, own: FoundRuntime): RuntimeDriver {
  const lost = new Map<string, ToolError>();
  return {
    start: async (runtime, options): Promise<Guest> => {
      const guest = await driver.start(own, options);
      const { name, version, engine } = runtime;
      return {
        hello: { type: 'hello', token: '', runtime: { name, version, engine } },
        get dead() {
          return guest.dead;
        },
        ask: async <R extends GuestRequest>(request: R, terms?: { deadlineMs?: number }) => {
          const id = 'recipe' in request ? request.recipe.id : '';
          const known = lost.get(id);
          if (known) throw known;
          const isAssumed = runtime !== own && request.type === 'describe';
          const asked = isAssumed ? { ...request, confirm: false, assume: engine } : request;
          return (await guest.ask(asked, terms).catch((error: unknown) => {
            if (error instanceof ToolError && error.code.startsWith('guest-')) lost.set(id, error);
            throw error;
          })) as AnswerTo<R['type']>;
        },
        close: () => guest.close(),
      };
    },
  };
}

/** A version later than every version that the rule book names. */
const NEWEST = '999999.0.0';

/** Limit for loading, describing and proving one payload. A script that never ends reaches it only once. */
const TIMEOUT_MS = 10_000;

function thisBrowser(): FoundRuntime {
  const runtime = runningBrowser();
  return { ...runtime, spec: `${runtime.name}@${runtime.version}`, binary: '', from: 'running' };
}

/** All other runtimes that start workers, in their newest version. */
const otherRuntimes = (own: FoundRuntime): FoundRuntime[] =>
  runtimesWithWorkers()
    .filter((name) => name !== own.name)
    .map((name) => ({
      ...{ name, version: NEWEST, engine: ENGINE_OF[name], spec: name, binary: '', from: 'assumed' },
    }));

/** Script of the page, which its workers run too. */
interface PageScript {
  script: Blob;
  version: string;
}

interface AnalysisOptions {
  channel: Channel;
  signal: AbortSignal;
  emit: Emit;
  /** Budget of measuring; null: verdicts by rules for this browser and the newest other runtimes, nothing is timed. */
  budgetMs: number | null;
}

async function analyzePasted(
  given: Given,
  { script, version }: PageScript,
  { channel, signal, emit, budgetMs }: AnalysisOptions,
): Promise<Report> {
  const own = thisBrowser();
  const { source, files } = await pastedSource(given);
  const driver = workerDriver({ script, files });
  const measure = budgetMs !== null;
  const { hardwareConcurrency: cores, platform: os } = navigator;
  const tools: Tools = {
    ...{ driver: measure ? driver : assumingDriver(driver, own), emit, version },
    now: () => performance.now(),
    machine: { os, arch: '', cpu: '', cores, memoryBytes: 0 },
    today: () => new Date().toISOString().slice(0, 10),
  };
  const report = await analyzeSources(
    {
      ...{ sources: [source], channels: [channel], cwd: '', sender: 'worker', signal },
      ...{ exports: null, via: [], seed: DEFAULTS.seed },
      ...{ budgetMs: budgetMs ?? 0, measure, timeoutMs: TIMEOUT_MS },
      runtimes: { found: measure ? [own] : [own, ...otherRuntimes(own)], missing: [] },
    },
    tools,
  );
  return readable(report);
}

/** Messages that replace errors whose advice is about the command line. */
const PAGE_MESSAGES: Readonly<Record<string, string>> = {
  'guest-timeout': `No answer within ${TIMEOUT_MS / 1000} seconds, so it was ended. Either the code never ends, or the payload is too large for this page.`,
  'guest-crashed': 'The worker that held the payload ended, perhaps for lack of memory.',
  interrupted: 'Stopped.',
};

/** Position at the start of an error: "payload.json:3:14: ". */
const POSITION = /^(.+):(\d+):(\d+): /;

const readableError = (error: RunError | null): RunError | null =>
  error && {
    ...error,
    message: PAGE_MESSAGES[error.code] ?? error.message.replace(POSITION, '$1, line $2, column $3: '),
  };

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

const readable = (report: Report): Report => ({ ...report, payloads: report.payloads.map(readablePayload) });

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
function drawResults(into: HTMLElement, report: Report): void {
  const sections = report.payloads.map((payload) =>
    section([answerNodes(payload).map(ofThisPage), detailNodes(payload)]),
  );
  const shown = nodesOf(sections.length === 0 ? text(NO_PAYLOADS) : sections);
  into.replaceChildren(...elementsOf(html`${nodesMarkup(shown, { of: '', draw: asTable })}`));
}

/** Drawings would make the page too large, so tables show their numbers. That of a payload's parts is folded, as it is long. */
function asTable({ kind, title, columns }: Chart, of: string): Markup {
  const numbers = table(title, columns);
  return kind === 'icicle'
    ? html`<details><summary>${of}: ${title}</summary>${numbers}</details>`
    : html`<h3>${title}</h3>${numbers}`;
}

/** Replaces options of the command by the names of the fields of the page. */
function ofThisPage(node: Node): Node {
  if (node.type === 'block') return { ...node, body: node.body.map(ofThisPage) };
  return node.type === 'text' ? { ...node, text: node.text.map(fieldOf) } : node;
}

const fieldOf = (span: Span): Span =>
  typeof span !== 'string' && /^-b \d/.test(span.text)
    ? { ...span, text: span.text.replace('-b', 'Measure for:') }
    : span;

/** The only place that turns text into markup. The reporter has escaped all text except its own markup. */
const elementsOf = ({ source }: Markup): ChildNode[] => [
  ...new DOMParser().parseFromString(source, 'text/html').body.childNodes,
];

const order = (id: number) => ({
  id,
  customer: { id: id * 7, name: `Customer ${id}` },
  lines: [
    { sku: `A-${id}`, price: id / 4, count: 1 },
    { sku: `B-${id}`, price: id / 8, count: 2 },
  ],
});

const EXAMPLE = JSON.stringify({ orders: Array.from({ length: 40 }, (_, id) => order(id)) }, null, 1);

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

const STEPS: Partial<Record<string, string>> = {
  describe: 'Describing the payload',
  prove: 'Proving the rewrites equal',
  measure: 'Measuring',
};

type AnalysisPart = 'verdicts' | 'measured';

class Unread extends Error {}

class Playground {
  readonly #input = new Input();
  readonly #script: PageScript;
  #stop: AbortController | null = null;
  #report: Report | null = null;

  constructor(script: PageScript) {
    this.#script = script;
    this.#input.onChange = () => this.#name();
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#work(() => this.#classify(), 'verdicts');
    });
    byId('measure').addEventListener('click', () => void this.#work(() => this.#measure(), 'measured'));
    byId('stop').addEventListener('click', () => this.#stop?.abort());
    byId('example').addEventListener('click', () => {
      this.#input.show(EXAMPLE, 'json');
      void this.#work(() => this.#measure(), 'measured');
    });
    byId('save').addEventListener('click', () => this.#save());
    this.#name();
  }

  /** Labels the buttons, which say so if they run code. */
  #name(): void {
    const isCode = this.#input.as === 'javascript';
    byId('classify').textContent = isCode ? 'Run this JavaScript, show engines' : 'Show what engines do';
    byId('measure').textContent = isCode ? 'Run this JavaScript, measure' : 'Measure in this browser';
    byId('hint').textContent = isCode
      ? 'An expression, or a module: each export is a payload, an exported function makes a fresh one. It runs in a worker, for at most 10 seconds.'
      : 'Paste it, or drop a file anywhere on this page.';
  }

  /** @param part section of the page that gets the focus afterwards */
  async #work(work: () => Promise<string>, part: AnalysisPart): Promise<void> {
    const refusal = refuseSize(this.#input.given().data.size);
    this.#tell('', refusal ?? '');
    if (refusal !== null || this.#stop !== null) return;
    this.#stop = new AbortController();
    this.#setBusy(true);
    try {
      const done = await work();
      this.#tell(this.#stop.signal.aborted ? 'Stopped.' : done, '');
      byId(`${part}-title`).focus();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (this.#stop.signal.aborted) this.#tell('Stopped.', '');
      else this.#tell('', error instanceof Unread ? text : `This page failed: ${text}`);
    } finally {
      // The stop button, which may have the focus, is hidden now.
      const isLeft = document.activeElement === byId('stop');
      this.#stop = null;
      this.#setBusy(false);
      if (isLeft) byId('classify').focus();
    }
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

  #analyze(budgetMs: number | null): Promise<Report> {
    const channel = byId<HTMLSelectElement>('channel').value as Channel;
    const emit = (event: AppEvent) => this.#progress(event);
    const options = { channel, signal: this.#stop!.signal, emit, budgetMs };
    return analyzePasted(this.#input.given(), this.#script, options);
  }

  /** The status text changes once per step, and only the bar moves in between. */
  #progress(event: AppEvent): void {
    if (event.type !== 'step') return;
    const text = STEPS[event.step];
    const status = byId('status');
    if (text !== undefined && status.textContent !== `${text}…`) status.textContent = `${text}…`;
    const bar = byId<HTMLProgressElement>('progress');
    bar.hidden = event.step !== 'measure';
    bar.value = event.done / event.of;
  }

  async #classify(): Promise<string> {
    byId('measured-part').hidden = true;
    byId('verdicts-part').hidden = true;
    const report = await this.#analyze(null);
    const error = unreadError(report);
    if (error !== null) throw new Unread(error);
    byId('doubt').hidden = !refusedWithoutRule(report);
    this.#show('verdicts', report);
    return 'What each engine does is below.';
  }

  async #measure(): Promise<string> {
    await this.#classify();
    if (this.#stop?.signal.aborted) return '';
    this.#show('measured', await this.#analyze(Number(byId<HTMLSelectElement>('budget').value)));
    return 'The measured time and the advice are below.';
  }

  #show(part: AnalysisPart, report: Report): void {
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

/** The workers run the text of the page's own script, since the page is a single file. */
export function start(): void {
  const script = new Blob([byId('script').textContent ?? ''], { type: 'text/javascript' });
  new Playground({ script, version: document.documentElement.dataset.version ?? '' });
}
