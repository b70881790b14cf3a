/** Facts about a payload that only the command line asks for. @throws ToolError of building it */

import { without } from '../../core/branches/without.ts';
import { differences } from '../../core/compare/compare.ts';
import { inferSchema } from '../../core/payload-schema/payload-schema.ts';
import { envelopeFor } from '../../core/recording/envelopes/envelopes.ts';
import { findDimensions } from '../../core/sweep/dimensions.ts';
import { map } from '../../core/value/lists.ts';
import type { Channel } from '../../model/names.ts';
import { orElse } from '../../model/or-else.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { AnswerTo, LossesFound, RequestOf, SchemaMade } from '../../model/wire/wire.ts';
import { probeFor, runningProbe } from '../../probe/probe.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { deliver } from '../channel/deliver.ts';
import { observePost } from '../channel/observed.ts';
import { allLines } from '../payload/lines/ndjson.ts';
import { build, buildPayload } from '../payload/materialize.ts';
import { thrownMessage } from '../user-code/thrown.ts';

/** What can be scaled in a payload. */
export async function dimensions({ recipe }: RequestOf<'dimensions'>): Promise<AnswerTo<'dimensions'>> {
  const { value } = await buildPayload({ ...recipe, scale: null });
  return { type: 'dimensions', found: findDimensions(value, typeDetection().isProxy) };
}

/** The payload as JSON text; null when it is too long, or when a toJSON of the user's throws. */
export async function sampleText({ recipe, mostBytes }: RequestOf<'sample'>): Promise<AnswerTo<'sample'>> {
  const { value } = await build(recipe);
  const json = orElse(() => JSON.stringify(value) as string | undefined, undefined);
  const fits = json !== undefined && new TextEncoder().encode(json).byteLength <= mostBytes;
  return { type: 'sample', json: fits ? json : null };
}

/**
 * Wire bytes of the payload, and of the payload without each branch, by the engine's own serializer; in the envelope of
 * its library.
 */
export async function branchBytes({
  recipe,
  paths,
}: RequestOf<'branch-bytes'>): Promise<AnswerTo<'branch-bytes'>> {
  const { value } = await buildPayload(recipe);
  const probe = runningProbe();
  const { wrap } = envelopeFor(recipe.via, 'alone');
  const serializedBytes = (part: unknown) => probe.serialized(wrap(part, []))?.byteLength ?? null;
  return {
    type: 'branch-bytes',
    whole: serializedBytes(value),
    without: map(paths, (path) => serializedBytes(without(value, path))),
  };
}

/** Posts the value for real over the channel and compares what arrives with it, unless it was moved. */
export async function realLosses(
  value: unknown,
  channel: Channel,
  transfer: Transferable[] = [],
): Promise<Omit<LossesFound, 'type'>> {
  const { refused = null, lost = null, arrived = null } = (await observePost(channel, value, transfer)) ?? {};
  if (lost !== null) return { refused, losses: [{ path: '$', what: lost, kind: 'delivery', owner: '$' }] };
  const isCompared = arrived !== null && transfer.length === 0;
  return { refused, losses: isCompared ? differences(value, arrived.data) : null };
}

/** @throws ToolError of building the payload */
export async function findLosses({ recipe, channel, twice }: RequestOf<'losses'>): Promise<LossesFound> {
  const { value, transfer } = await build(recipe);
  const message = twice === true ? [value, value] : value;
  return { type: 'losses-found', ...(await realLosses(message, channel, transfer)) };
}

const isJson = ({ build: { form }, scale }: Recipe): boolean =>
  (form === 'json' || form === 'ndjson') && scale === undefined;

/**
 * Samples are read as they arrive: without getters, classes and what else a clone leaves behind.
 *
 * @throws ToolError of building a payload
 */
export async function makeSchema({ recipes }: RequestOf<'schema'>): Promise<SchemaMade> {
  const { types } = await probeFor({ ask: false });
  const samples: unknown[] = [];
  for (const [at, recipe] of recipes.entries()) {
    const { build, source } = recipe;
    if (build.form === 'ndjson' && build.line === 0) {
      for (const value of await allLines(build.file, source.file)) samples.push(value);
      continue;
    }
    const { value } = await buildPayload(recipe);
    try {
      samples.push(isJson(recipe) ? value : (await deliver(value)).data);
    } catch (error) {
      return { type: 'schema-made', schema: null, uncloned: { recipe: at, reason: thrownMessage(error) } };
    }
  }
  return { type: 'schema-made', schema: inferSchema(samples, types, recipes.every(isJson)) };
}
