import { describe } from '../../core/describe/describe.ts';
import { withHidden } from '../../core/describe/hidden-state.ts';
import type { Shape } from '../../model/documents/shape.ts';
import type { Channel } from '../../model/names.ts';
import type { Recipe } from '../../model/report/recipe.ts';
import type { Described, DescribeRequest } from '../../model/wire/describe-request.ts';
import type { Stage } from '../../model/wire/stage.ts';
import { notAnswered, type OracleResult, rejectedWith } from '../../probe/oracle/oracle-result.ts';
import { probeFor, runningProbe } from '../../probe/probe.ts';
import { refusalOver } from '../channel/refusal.ts';
import type { Built } from '../payload/built.ts';
import { build } from '../payload/materialize.ts';
import { runsCodeWhenAwaited } from '../payload/thenable.ts';
import { varyingPath } from '../payload/varying-path.ts';

type ConfirmResult = Omit<OracleResult, 'confirmation'> & {
  confirmation: OracleResult['confirmation'] | null;
};

/** Beyond these, serializing takes longer than parsing and describing the payload. */
const CHEAP_NODES = 250_000;
const CHEAP_BYTES = 16 * 1024 * 1024;

const NOT_ASKED: ConfirmResult = { confirmation: null, wireBytes: null, rejected: null };

/** The value comes straight from JSON.parse: it has no accessors, no user prototypes, no hidden state. */
const isFromJson = ({ build: { form }, via }: Recipe) => (form === 'json' || form === 'ndjson') && !via;

/** Only code makes a value that an engine refuses. */
const isFromCode = ({ build: { form }, via }: Recipe) =>
  form === 'module' || form === 'specimen' || Boolean(via);

function isCheap({ nodes, patterns }: Shape): boolean {
  const bytes = patterns.reduce((sum, row) => sum + (row.bytes?.total ?? 0), 0);
  // Holes are not nodes, but JavaScriptCore writes each of them.
  const slots = patterns.reduce(
    (sum, { kind, size }) => sum + (kind === 'array' ? (size?.total ?? 0) : 0),
    0,
  );
  return nodes <= CHEAP_NODES && slots <= CHEAP_NODES && bytes <= CHEAP_BYTES;
}

/** V8 stores the first values of a factory otherwise than later ones, which are what a program posts. */
async function laterBuild(recipe: Recipe): Promise<Built> {
  const built = await build(recipe);
  return built.how === 'built' ? build(recipe) : built;
}

/** What a post over the asked channel shows: the oracle asks over a port, or clones. */
async function withRealPost(
  result: ConfirmResult,
  { value }: Built,
  shape: Shape,
  channel: Channel,
): Promise<ConfirmResult> {
  const refusal = await refusalOver(channel, value);
  const isRejected = result.confirmation?.path === 'rejected';
  if (refusal === undefined || (refusal !== null) === isRejected) return result;
  return refusal === null
    ? { ...result, ...notAnswered('structuredClone refuses it, this channel does not') }
    : rejectedWith(refusal, value, shape);
}

/**
 * Builds a payload and describes it: its shape, and what the engine's oracle and serializer say of a real post. Hidden
 * state that only the oracle finds becomes part of the shape.
 *
 * @throws ToolError of building it
 */
export async function describePayload(
  request: DescribeRequest,
  onStage: (stage: Stage) => Promise<void>,
): Promise<Described> {
  const described = await describeOnce(request, onStage);
  const asked = request.twice && isFromCode(request.recipe);
  return asked ? { ...described, varies: await varyingPath(request.recipe) } : described;
}

async function describeOnce(
  { recipe, channel, confirm, assume }: DescribeRequest,
  onStage: (stage: Stage) => Promise<void>,
): Promise<Described> {
  const fromJson = isFromJson(recipe);
  const probe = await probeFor({ fromJson, ...(assume && { assume }) });
  await onStage('build');
  let last = await laterBuild(recipe);
  await onStage('describe');
  const shape = describe(last.value, probe, { fromJson, jsonBytes: true });
  const asked = confirm === true || (confirm === 'when-cheap' && isCheap(shape));
  if (!asked) return { type: 'described', shape, ...NOT_ASKED };
  await onStage('confirm');
  const fresh = async () => {
    last = await build(recipe);
    return last.value;
  };
  // The oracle awaits the value, which would run its code.
  const answer = runsCodeWhenAwaited(last.value)
    ? NOT_ASKED
    : await runningProbe().confirm(fresh, shape, channel, fromJson);
  const result = isFromCode(recipe) ? await withRealPost(answer, last, shape, channel) : answer;
  return { type: 'described', ...result, shape: withHidden(shape, result.confirmation?.hidden ?? null) };
}
