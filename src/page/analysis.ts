import { analyzeSources } from '../app/analyze/analyze.ts';
import type { AnalyzeRequest, Tools } from '../app/tools.ts';
import type { PayloadReport, Report, RunError } from '../model/documents/report.ts';
import { type Channel, ENGINE_OF, runtimesWithWorkers } from '../model/names.ts';
import type { Emit } from '../model/run/events.ts';
import type { FoundRuntime } from '../model/run/runtime.ts';
import { runningBrowser } from '../probe/browser.ts';
import { AssumedGuests, workerDriver } from './guest.ts';
import { type Given, pastedSource } from './input.ts';

/** Later than every version that the rule book names. */
const NEWEST = '999999.0.0';

/** Limit for loading, describing and proving one payload; a script that never ends costs it once. */
const TIMEOUT_MS = 10_000;

/** The page's own script, which its workers run too. */
export interface PageScript {
  script: Blob;
  version: string;
}

function thisBrowser(): FoundRuntime {
  const runtime = runningBrowser();
  return { ...runtime, spec: `${runtime.name}@${runtime.version}`, binary: '', from: 'running' };
}

/** The newest version of every other runtime that starts workers. */
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
  /** Null: verdicts by rules for this browser and the newest version of all other runtimes; nothing is timed. */
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
  const guests = budgetMs === null ? new AssumedGuests(driver, own) : null;
  const request: AnalyzeRequest = {
    ...{ sources: [source], channels: [channel], exports: null, via: [], cwd: '', seed: 1, sender: 'worker' },
    ...{ budgetMs: budgetMs ?? 0, measure: budgetMs !== null, timeoutMs: TIMEOUT_MS, signal },
    runtimes: guests === null ? [own] : [own, ...otherRuntimes(own)],
  };
  try {
    return readable(await analyzeSources(request, makeTools(version, guests?.driver ?? driver, emit)));
  } finally {
    await guests?.close();
  }
}

/** What the command line would advise instead does not help here. */
const PAGE_MESSAGES: Readonly<Record<string, string>> = {
  'guest-timeout': `No answer within ${TIMEOUT_MS / 1000} seconds, so it was ended. Either the code never ends, or the payload is too large for this page.`,
  'guest-crashed': 'The worker that held the payload ended, perhaps for lack of memory.',
  interrupted: 'Stopped.',
};

/** "payload.json:3:14: " */
const POSITION = /^(.+):(\d+):(\d+): /;

const readableError = (error: RunError | null): RunError | null =>
  error && {
    ...error,
    message: PAGE_MESSAGES[error.code] ?? error.message.replace(POSITION, '$1, line $2, column $3: '),
  };

/** What no runtime could read is told once. */
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

/** Why nothing could be read; null where at least one payload was. */
export function unreadError({ payloads }: Report): string | null {
  const [first] = payloads;
  return payloads.every(({ error }) => error !== null) ? (first?.error?.message ?? 'Stopped.') : null;
}

/** This browser was shown the payload and refused it, and no rule tells why: a Proxy, which a page cannot tell. */
export const refusedWithoutRule = ({ payloads }: Report): boolean =>
  payloads.some(
    ({ runs }) =>
      runs.some(({ verdict }) => verdict?.refusal !== undefined) &&
      runs.some(({ verdict }) => verdict !== null && verdict.class !== 'rejected'),
  );
