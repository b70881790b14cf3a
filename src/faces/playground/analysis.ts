import { analyzeSources } from '../../app/analyze/analyze.ts';
import type { Tools } from '../../app/job/tools.ts';
import { runningBrowser } from '../../engines/probe/browser.ts';
import { type PageParts, startPart } from '../../guest/platform/common/parts.ts';
import type { PayloadReport, Report, RunError } from '../../model/documents/report.ts';
import { ToolError } from '../../model/errors.ts';
import { type Channel, ENGINE_OF, runtimesWithWorkers } from '../../model/names.ts';
import type { Emit } from '../../model/run/events.ts';
import {
  DEFAULTS,
  type FoundRuntime,
  type Guest,
  type RuntimeDriver,
  type StartOptions,
} from '../../model/run/runtime.ts';
import type { AnswerTo, GuestRequest } from '../../model/wire/wire.ts';
import { type Body, ConnectedGuest, type HostLink } from '../../runtimes/guests/connected-guest.ts';
import { type Given, pastedSource } from './input.ts';

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

/** Script of the page, which its workers run too. */
export interface PageScript {
  script: Blob;
  version: string;
}

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

function makeTools(version: string, driver: Tools['driver'], emit: Emit): Tools {
  const { hardwareConcurrency: cores, platform: os } = navigator;
  return {
    ...{ driver, emit, version },
    now: () => performance.now(),
    machine: { os, arch: '', cpu: '', cores, memoryBytes: 0 },
    today: () => new Date().toISOString().slice(0, 10),
  };
}

interface AnalysisOptions {
  channel: Channel;
  signal: AbortSignal;
  emit: Emit;
  /** Budget of measuring; null: verdicts by rules for this browser and the newest other runtimes, nothing is timed. */
  budgetMs: number | null;
}

export async function analyzePasted(
  given: Given,
  { script, version }: PageScript,
  { channel, signal, emit, budgetMs }: AnalysisOptions,
): Promise<Report> {
  const own = thisBrowser();
  const { source, files } = await pastedSource(given);
  const driver = workerDriver({ script, files });
  const measure = budgetMs !== null;
  const tools = makeTools(version, measure ? driver : assumingDriver(driver, own), emit);
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

/** Reason why nothing could be read; null if at least one payload was read. */
export function unreadError({ payloads }: Report): string | null {
  const [first] = payloads;
  return payloads.every(({ error }) => error !== null) ? (first?.error?.message ?? 'Stopped.') : null;
}

/** True if this browser refused the payload and no rule explains it, as for a Proxy, which a page cannot detect. */
export const refusedWithoutRule = ({ payloads }: Report): boolean =>
  payloads.some(
    ({ runs }) =>
      runs.some(({ verdict }) => verdict?.refusal !== undefined) &&
      runs.some(({ verdict }) => verdict !== null && verdict.class !== 'rejected'),
  );
