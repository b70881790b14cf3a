import { analyze } from '../app/analyze/analyze.ts';
import type { AnalyzeRequest, Tools } from '../app/tools.ts';
import type { Emit } from '../model/events.ts';
import { type Channel, ENGINE_OF, RUNTIME_NAMES } from '../model/names.ts';
import type { PayloadReport, Report, RunError } from '../model/report/report.ts';
import type { FoundRuntime } from '../model/runtime.ts';
import { runningRuntime } from '../probe/running-runtime.page.ts';
import { AssumedGuests } from './assumed-guest.ts';
import { workerDriver } from './guest.ts';
import { type Given, pastedSource } from './pasted.ts';

/** Later than every version that the rule book names. */
const NEWEST = '999999.0.0';
const NEWEST_SHOWN = 'newest';

/** Of loading, describing and proving; a script that never ends costs it once. */
const TIMEOUT_MS = 10_000;

export interface AnalysisOptions {
  channel: Channel;
  signal: AbortSignal;
  emit: Emit;
}

/** The page's own script, which its workers run too. */
export interface PageScript {
  script: Blob;
  /** Of the tool. */
  version: string;
}

/** This browser, as a guest of it tells. */
export function thisBrowser(): FoundRuntime {
  const { name, version, engine } = runningRuntime();
  return { name, version, engine, spec: `${name} ${version}, this browser`, binary: '', from: 'running' };
}

/** The newest version of every other runtime. */
const otherRuntimes = (own: FoundRuntime): FoundRuntime[] =>
  RUNTIME_NAMES.filter((name) => name !== own.name).map((name) => ({
    ...{ name, version: NEWEST, engine: ENGINE_OF[name], spec: name, binary: '', from: 'assumed' },
  }));

function toolsOf({ version }: PageScript, driver: Tools['driver'], emit: Emit): Tools {
  const { hardwareConcurrency, platform } = navigator;
  return {
    ...{ driver, emit, version },
    now: () => performance.now(),
    machine: { os: platform, arch: '', cpu: '', cores: hardwareConcurrency, memoryBytes: 0 },
    today: () => new Date().toISOString().slice(0, 10),
  };
}

const SHARED = {
  ...{ exports: null, via: [], timeoutMs: TIMEOUT_MS, cwd: '', seed: 1, sender: 'worker' },
} as const satisfies Partial<AnalyzeRequest>;

/** Verdicts by rules for this browser and the newest version of all other runtimes; nothing is timed. */
export async function classifyPasted(
  given: Given,
  script: PageScript,
  { channel, signal, emit }: AnalysisOptions,
): Promise<Report> {
  const own = thisBrowser();
  const { source, files } = await pastedSource(given);
  const guests = new AssumedGuests(workerDriver({ script: script.script, files }), own);
  const request = { sources: [source], runtimes: [own, ...otherRuntimes(own)], channels: [channel] };
  try {
    const tools = toolsOf(script, guests.driver, emit);
    return readable(await analyze({ ...SHARED, ...request, budgetMs: 0, measure: false, signal }, tools));
  } finally {
    await guests.close();
  }
}

/** Round trips, rewrites and advice in this browser. */
export async function measurePasted(
  given: Given,
  script: PageScript,
  { channel, signal, emit, budgetMs }: AnalysisOptions & { budgetMs: number },
): Promise<Report> {
  const { source, files } = await pastedSource(given);
  const tools = toolsOf(script, workerDriver({ script: script.script, files }), emit);
  const request = { sources: [source], runtimes: [thisBrowser()], channels: [channel] };
  return readable(await analyze({ ...SHARED, ...request, budgetMs, measure: true, signal }, tools));
}

/** What the command line would advise instead does not help here. */
const PAGE_MESSAGES: Readonly<Record<string, string>> = {
  'guest-timeout': `No answer within ${TIMEOUT_MS / 1000} seconds, so it was ended. Either the code never ends, or the payload is too large for this page.`,
  'guest-crashed': 'The worker that held the payload ended, perhaps for lack of memory.',
  interrupted: 'Stopped.',
};

function readableError<E extends RunError | null>(error: E): E {
  const message = error && PAGE_MESSAGES[error.code];
  return message ? { ...error, message } : error;
}

const readablePayload = (payload: PayloadReport): PayloadReport => ({
  ...payload,
  error: readableError(payload.error),
  runs: payload.runs.map((run) => {
    const version = run.runtime.version === NEWEST ? NEWEST_SHOWN : run.runtime.version;
    return { ...run, runtime: { ...run.runtime, version }, error: readableError(run.error) };
  }),
});

const readable = (report: Report): Report => ({ ...report, payloads: report.payloads.map(readablePayload) });
