import { firstOffer, loadPoint, mostWaiting, nextOffer } from '../../core/measure/load.ts';
import type { Recipe } from '../../model/recipe.ts';
import type { LoadPoint, Run } from '../../model/report.ts';
import type { LoadOffer, LoadResult } from '../../model/wire.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';
import type { AnalyzeRequest, Tools } from '../tools.ts';

/** Processes for each offer: what one happened to do must not decide. */
const PROCESSES = 2;
/** Of the budget, for one process under load; beside what the budget pays for. */
const LOAD_SHARE = 0.06;
const LEAST_MS = 200;

/** The run with its payload under load, after and apart from all that was timed without. */
export async function withLoad(
  run: Run,
  recipe: Recipe,
  slot: GuestSlot,
  request: AnalyzeRequest,
  tools: Tools,
): Promise<Run> {
  const { measurement } = run;
  if (measurement === null || request.load == null) return run;
  const asking: Asking = { run, recipe, slot, request, tools };
  try {
    const load = await loadPoints(asking, request.load);
    return { ...run, measurement: { ...measurement, load } };
  } catch (error) {
    const text = `${recipe.id} on ${slot.runtime.spec}: no load was offered: ${runError(error).message}`;
    tools.emit({ type: 'warning', text });
    return run;
  }
}

interface Asking {
  run: Run;
  recipe: Recipe;
  slot: GuestSlot;
  request: AnalyzeRequest;
  tools: Tools;
}

async function loadPoints(asking: Asking, wish: NonNullable<AnalyzeRequest['load']>): Promise<LoadPoint[]> {
  const offer = firstOffer(wish);
  const first = loadPoint(offer, await processesUnder(offer, asking));
  const next = nextOffer(wish, first);
  const second = next && loadPoint(next, await processesUnder(next, asking));
  return [first, second].filter((point) => point !== null);
}

async function processesUnder(offer: LoadOffer, asking: Asking): Promise<LoadResult[]> {
  const loaded: LoadResult[] = [];
  while (loaded.length < PROCESSES && !asking.request.signal?.aborted) {
    loaded.push(await oneProcess(offer, asking));
  }
  return loaded;
}

async function oneProcess(
  offer: LoadOffer,
  { run, recipe, slot, request, tools }: Asking,
): Promise<LoadResult> {
  const { timeoutMs, cwd, signal, budgetMs } = request;
  const { runtime } = slot;
  const { channel } = run;
  tools.emit({
    type: 'step',
    payload: recipe.id,
    runtime: runtime.spec,
    channel,
    step: 'load',
    done: 0,
    of: 1,
  });
  const ms = Math.max(LEAST_MS, LOAD_SHARE * budgetMs);
  const bytes = run.wireBytes ?? run.shape?.jsonBytes ?? 0;
  const guest = await tools.driver.start(runtime, { timeoutMs, cwd, signal });
  try {
    return await guest.ask(
      { type: 'load', recipe, channel, offer, ms, mostWaiting: mostWaiting(offer, bytes) },
      { deadlineMs: 2 * ms + timeoutMs },
    );
  } finally {
    await guest.close();
  }
}
