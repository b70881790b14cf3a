import { classify } from '../../core/classify/classify.ts';
import { withConfirmation, withVaryingValue } from '../../core/classify/confirm.ts';
import { type ObservedClassification, withObservedLosses } from '../../core/classify/losses.ts';
import { missingClass } from '../../core/classify/platform-posts.ts';
import { postBytes } from '../../core/classify/post-bytes.ts';
import { envelopeFor, payloadPath } from '../../core/recording/envelopes/envelopes.ts';
import { ENGINES, PLATFORM_POSTS, STANDARD } from '../../engines/index.ts';
import type { RuntimeId } from '../../model/documents/names.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { ToolError } from '../../model/errors.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { Described } from '../../model/wire/wire.ts';
import type { GuestSlot } from '../guest-slot.ts';
import { runError } from '../payloads.ts';

/** A run after describing and classifying. */
export interface DescribedRun {
  run: Run;
  described: Described | null;
}

export function emptyRun({ name, brand, version, engine }: RuntimeId, channel: Channel): Run {
  return {
    runtime: { name, ...(brand && { brand }), version, engine },
    channel,
    status: 'failed',
    error: null,
    shape: null,
    verdict: null,
    findings: [],
    wireBytes: null,
    measurement: null,
    trials: [],
    advice: null,
  };
}

/** Two builds of a value that varies differ by themselves. */
const lossesIn = ({ losses, varies }: Described) => (varies == null ? losses : null);

function classificationOf(
  described: Described,
  runtime: FoundRuntime,
  channel: Channel,
  transferring: boolean,
): ObservedClassification {
  const where = { runtime, channel, transferring };
  const engine = ENGINES[runtime.engine];
  const classification = classify(described.shape, engine, STANDARD, where);
  // The oracle was asked without a transfer list: its answer does not hold for a message with one.
  if (transferring && described.transfer === null) return { ...classification, untold: [] };
  const book = { engine, spec: STANDARD, context: where };
  const seen = withObservedLosses(classification, described.shape, lossesIn(described), book);
  const told = { ...seen, ...withConfirmation(seen, described.confirmation) };
  // It has arrived.
  if (told.verdict.path === 'rejected' && lossesIn(described) !== null)
    return { ...told, verdict: { ...told.verdict, confirmed: false } };
  if (told.verdict.confirmed !== false) return told;
  const { varies, shownOther } = described;
  if (varies != null) return { ...told, ...withVaryingValue(told, varies, 'value-varies') };
  return shownOther == null ? told : { ...told, ...withVaryingValue(told, shownOther, 'storage-varies') };
}

/** Error messages of engines quote the source of functions. */
const MAX_REFUSAL_CHARS = 300;

interface ClassifyRunOptions {
  deadlineMs: number;
  /** Ask the engine for confirmation also where that costs much compared with reading the payload. */
  thorough: boolean;
  transferring?: boolean;
  /** See the wire. */
  calls?: number;
}

async function describedAndClassified(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  { deadlineMs, thorough, transferring = false, calls }: ClassifyRunOptions,
  twice = false,
): Promise<{ described: Described; classification: ObservedClassification }> {
  const described = await slot.ask(
    {
      type: 'describe',
      recipe,
      channel,
      confirm: thorough ? true : 'when-cheap',
      twice,
      ...(calls && { calls }),
    },
    { file: recipe.source.file, deadlineMs },
  );
  const { runtime } = slot;
  // What was described elsewhere may be of a class that only exists there.
  const missing =
    runtime.from === 'assumed' ? missingClass(described.shape, PLATFORM_POSTS, runtime.name) : null;
  if (missing !== null) throw new ToolError('class-missing', { value: missing, runtime: runtime.name });
  const isMoved = transferring || described.transfer !== null;
  return { described, classification: classificationOf(described, runtime, channel, isMoved) };
}

function viaOf({ via }: Recipe, shape: Shape | null): Pick<Run, 'via'> {
  if (!via) return {};
  const { transfers } = envelopeFor(via, 'sender');
  return { via: { library: via, path: payloadPath(via), transfers, shape } };
}

/**
 * The shape of the message does not contain that of the value in it: a pattern of the envelope (`$[*]`) may hold the
 * value and others.
 */
async function payloadShape(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  { deadlineMs }: ClassifyRunOptions,
): Promise<Shape | null> {
  if (!recipe.via) return null;
  const plain = { type: 'describe', recipe: { ...recipe, via: null }, channel, confirm: false } as const;
  return (await slot.ask(plain, { file: recipe.source.file, deadlineMs })).shape;
}

/**
 * One payload on one runtime over one channel: described there, classified here. A failure is a result. Where the engine
 * contradicts the rules, it is asked once more in a process of its own: what earlier payloads left in one must not
 * decide. Nor must a factory that gives another value each time.
 */
export async function classifyRun(
  recipe: Recipe,
  slot: GuestSlot,
  channel: Channel,
  options: ClassifyRunOptions,
): Promise<DescribedRun> {
  const run = { ...emptyRun(slot.runtime, channel), ...viaOf(recipe, null) };
  try {
    let answer = await describedAndClassified(recipe, slot, channel, options);
    if (answer.classification.verdict.confirmed === false) {
      await slot.close();
      answer = await describedAndClassified(recipe, slot, channel, options, true);
    }
    const { described, classification } = answer;
    const { shape, message, transfer, rejected, afterReceiving, readBackNs } = described;
    // The next value with such keys would not be stored there as it is in a fresh process.
    if (afterReceiving != null) await slot.close();
    // What the engine refuses without a transfer list, it may take with one.
    const isRefused = rejected !== null && !(options.transferring && transfer === null);
    const refusal = isRefused ? { refusal: rejected.slice(0, MAX_REFUSAL_CHARS) } : {};
    const verdict = { ...classification.verdict, ...refusal };
    const { findings, untold } = classification;
    const losses = untold.map(({ path, what }) => ({ path, what }));
    const via = viaOf(recipe, await payloadShape(recipe, slot, channel, options));
    const where = { runtime: slot.runtime, channel, transferring: options.transferring || transfer !== null };
    const engine = ENGINES[slot.runtime.engine];
    const bytes = postBytes(shape, verdict.path, engine, where, message, transfer?.moved);
    const told = {
      ...(losses.length > 0 && { losses }),
      ...(bytes && { bytes }),
      ...(afterReceiving != null && {
        builtLater: { path: afterReceiving, ratio: null, outcome: 'unsure' as const },
      }),
      ...(readBackNs !== undefined && { readBackNs }),
      wireBytes: bytes?.copied ?? null,
    };
    return { described, run: { ...run, ...via, status: 'classified', shape, verdict, findings, ...told } };
  } catch (error) {
    return { described: null, run: { ...run, error: runError(error) } };
  }
}
