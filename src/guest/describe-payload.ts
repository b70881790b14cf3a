import { describe } from '../core/describe/describe.ts';
import type { Recipe } from '../model/recipe.ts';
import type { Ask, Described } from '../model/wire.ts';
import { build } from './materialize.ts';
import { probeFor } from './probe/probe.ts';

type DescribeAsk = Extract<Ask, { type: 'describe' }>;

/** The value comes straight out of JSON.parse: no accessor, no prototype of the user's, nothing hidden. */
const isFromJson = ({ build: { form }, via }: Recipe) => (form === 'json' || form === 'ndjson') && !via;

/**
 * Builds a payload and says what it is.
 *
 * @throws ToolError of building it
 */
export async function describePayload({ recipe }: DescribeAsk): Promise<Described> {
  const fromJson = isFromJson(recipe);
  const probe = await probeFor({ fromJson });
  const { value } = await build(recipe);
  const shape = describe(value, probe, { trusted: fromJson, jsonBytes: true });
  return { type: 'described', shape, confirmation: null, wireBytes: null, rejected: null };
}
