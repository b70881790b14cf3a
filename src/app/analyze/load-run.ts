import { firstOffer, loadPoint, mostWaiting, nextOffer } from '../../core/measure/load.ts';
import type { LoadPoint } from '../../model/documents/measurement.ts';
import type { Run } from '../../model/documents/report.ts';
import type { LoadOffer, LoadResult } from '../../model/wire/load.ts';
import { askFreshGuest } from '../fresh-guest.ts';
import { runError } from '../payloads.ts';
import { type AnalyzeRequest, emitStep } from '../tools.ts';
import type { RunContext } from './run-context.ts';

/** Processes for each load: the state of one process must not decide. */
const PROCESSES = 2;
/** Share of the budget for one process under load; beyond what the budget pays for. */
const LOAD_SHARE = 0.06;
const MIN_MS = 200;

/** The run with its payload timed under load, after all that was timed without. */
export async function withLoad(context: RunContext, run: Run): Promise<Run> {
  const { recipe, runtime, request, tools } = context;
  const { measurement } = run;
  if (measurement === null || request.load == null) return run;
  try {
    return { ...run, measurement: { ...measurement, load: await loadPoints(context, run, request.load) } };
  } catch (error) {
    const text = `${recipe.id} on ${runtime.spec}: not timed under load: ${runError(error).message}`;
    tools.emit({ type: 'warning', text });
    return run;
  }
}

async function loadPoints(
  context: RunContext,
  run: Run,
  wish: NonNullable<AnalyzeRequest['load']>,
): Promise<LoadPoint[]> {
  const offer = firstOffer(wish);
  const first = loadPoint(offer, await processesUnder(offer, context, run));
  const next = nextOffer(wish, first);
  const second = next && loadPoint(next, await processesUnder(next, context, run));
  return [first, second].filter((point) => point !== null);
}

async function processesUnder(offer: LoadOffer, context: RunContext, run: Run): Promise<LoadResult[]> {
  const { recipe, channel, runtime, request, tools } = context;
  const ms = Math.max(MIN_MS, LOAD_SHARE * request.budgetMs);
  const bytes = run.wireBytes ?? run.shape?.jsonBytes ?? 0;
  const asked = { type: 'load', recipe, channel, offer, ms, mostWaiting: mostWaiting(offer, bytes) } as const;
  const loaded: LoadResult[] = [];
  while (loaded.length < PROCESSES && !request.signal?.aborted) {
    emitStep(tools, context, 'load');
    loaded.push(await askFreshGuest(asked, runtime, 2 * ms + request.timeoutMs, request, tools));
  }
  return loaded;
}
