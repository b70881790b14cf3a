import { classify, postBytes } from '../../engines/classify/classify.ts';
import { missingClass, type PostContext } from '../../engines/classify/match.ts';
import { withConfirmation, withObservedLosses, withVaryingValue } from '../../engines/classify/observed.ts';
import { ENGINES, PLATFORM_POSTS } from '../../engines/index.ts';
import type { Run } from '../../model/documents/report.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { ToolError } from '../../model/errors.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Classification } from '../../model/rules/rule.ts';
import type { Described } from '../../model/wire/wire.ts';
import { envelopeFor, valuePath } from '../../record/envelopes/envelopes.ts';
import { isStoredAsLearned } from '../../value/shape/shape-facts.ts';
import { type Job, runError } from './job.ts';

/** Losses are unknown for a value that varies: two builds of it differ anyway. */
const lossesIn = ({ losses, varies }: Described) => (varies == null ? losses : null);

/** Without the rules that refuse a message which arrived with its transfer list: Node 20 takes a detached buffer in it. */
function classified({ shape, transfer, confirmation }: Described, where: PostContext): Classification {
  const engine = ENGINES[where.runtime.engine];
  const told = classify(shape, engine, where);
  const isTaken = transfer !== null && confirmation?.path === null;
  if (!isTaken || told.verdict.path !== 'rejected') return told;
  const wrong = told.findings.flatMap(({ level, rule }) => (level === 'rejected' ? rule : []));
  const rules = engine.rules.filter(({ id }) => !wrong.includes(id));
  return classify(shape, { ...engine, rules }, where);
}

function classificationOf(described: Described, where: PostContext): Classification {
  const engine = ENGINES[where.runtime.engine];
  const classification = classified(described, where);
  // The oracle posted without a transfer list: its answer does not hold for a message with a transfer list.
  if (where.transferring && described.transfer === null) return classification;
  const book = { engine, context: where };
  const seen = withObservedLosses(classification, described.shape, lossesIn(described), book);
  const told = withConfirmation(seen, described.confirmation);
  // The rules predict a refusal, but the message has arrived.
  if (told.verdict.path === 'rejected' && lossesIn(described) !== null)
    return { ...told, verdict: { ...told.verdict, confirmed: false } };
  if (told.verdict.confirmed !== false) return told;
  const { varies, shownOther } = described;
  if (varies != null) return withVaryingValue(told, varies, 'value-varies');
  return shownOther == null ? told : withVaryingValue(told, shownOther, 'storage-varies');
}

/** Engines quote the source of functions in their error messages, so these are cut. */
const MAX_REFUSAL_CHARS = 300;

interface DescribeOptions {
  /** Have the engine confirm the verdict even if that costs much compared with reading the payload. */
  thorough: boolean;
  /** See `describe` in the messages to guests. */
  calls?: number;
}

async function describedAndClassified(
  { recipe, slot, channel, runtime, terms }: Job,
  { thorough, calls }: DescribeOptions,
  twice = false,
): Promise<{ described: Described; where: PostContext; classification: Classification }> {
  const confirm = thorough ? true : 'when-cheap';
  const described = await slot.ask({
    ...{ type: 'describe', recipe, channel, confirm, twice },
    ...(calls && { calls }),
  });
  // A value that was described in a different runtime may be of a class that exists only there.
  const missing =
    runtime.from === 'assumed' ? missingClass(described.shape, PLATFORM_POSTS, runtime.name) : null;
  if (missing !== null) throw new ToolError('class-missing', { value: missing, runtime: runtime.name });
  const where = { runtime, channel, transferring: terms.transferring || described.transfer !== null };
  return { described, where, classification: classificationOf(described, where) };
}

function viaOf({ via }: Recipe, shape: Shape | null): Pick<Run, 'via'> {
  if (!via) return {};
  const { transfers } = envelopeFor(via, 'sender');
  return { via: { library: via, path: valuePath(via), transfers, shape } };
}

/** Shape inside a library's envelope: patterns of the message's shape (`$[*]`) may cover the value and other values. */
async function innerShape({ recipe, slot, channel }: Job): Promise<Shape | null> {
  if (!recipe.via) return null;
  const plain = { ...recipe, via: null };
  return (await slot.ask({ type: 'describe', recipe: plain, channel, confirm: false })).shape;
}

/**
 * Describes the payload in its runtime and classifies it here. A failure is a result. If the engine contradicts the
 * rules, or may have learned from a different payload how to store this value, the description is repeated in a fresh
 * process: neither state left by earlier payloads nor a factory whose values vary may decide the verdict.
 */
export async function describeJob(job: Job, options: DescribeOptions): Promise<Run> {
  const { recipe, slot, runtime } = job;
  job.run = { ...job.run, ...viaOf(recipe, null) };
  try {
    let answer = await describedAndClassified(job, options);
    const isContradicted = answer.classification.verdict.confirmed === false;
    const isLearned = isStoredAsLearned(answer.described.shape) && slot.hasBuiltOther(recipe);
    if (isContradicted || (runtime.engine === 'jsc' && isLearned)) {
      await slot.close();
      answer = await describedAndClassified(job, options, isContradicted);
    }
    const { described, where, classification } = answer;
    const { shape, message, transfer, confirmation, afterReceiving, readBackNs } = described;
    // The engine would store the next value with such keys in a different way than a fresh process does.
    if (afterReceiving != null) await slot.close();
    // The engine may refuse a message without a transfer list that it accepts with one.
    const isRefused = confirmation?.path === 'rejected' && !(job.terms.transferring && transfer === null);
    const refusal = isRefused ? { refusal: confirmation.evidence.slice(0, MAX_REFUSAL_CHARS) } : {};
    const verdict = { ...classification.verdict, ...refusal };
    const { findings } = classification;
    const via = viaOf(recipe, await innerShape(job));
    const bytes = postBytes(shape, verdict.path, ENGINES[runtime.engine], where, message, transfer?.moved);
    const told = {
      ...(bytes && { bytes }),
      ...(afterReceiving != null && {
        builtLater: { path: afterReceiving, ratio: null, outcome: 'unsure' as const },
      }),
      ...(readBackNs !== undefined && { readBackNs }),
    };
    job.described = described;
    job.run = { ...job.run, ...via, status: 'classified', shape, verdict, findings, ...told };
  } catch (error) {
    job.run = { ...job.run, error: runError(error) };
  }
  return job.run;
}
