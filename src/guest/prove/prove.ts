import { compare, isSameTree } from '../../core/compare/compare.ts';
import { describe } from '../../core/describe/describe.ts';
import { type Envelope, envelopeFor } from '../../core/recording/envelopes/envelopes.ts';
import { filter, map } from '../../core/value/lists.ts';
import type { Loss, Plan } from '../../model/documents/trial.ts';
import type { Channel } from '../../model/names.ts';
import { isModule, type Recipe } from '../../model/report/recipe.ts';
import { RemedyRefused } from '../../model/rules/remedy.ts';
import { type TriedRewrite, triedIn } from '../../model/rules/tried.ts';
import type { Proof, Proved, RequestOf } from '../../model/wire/wire.ts';
import { probeFor } from '../../probe/probe.ts';
import { type Deliver, deliveryOver } from '../channel/deliver.ts';
import { buildPayload } from '../payload/materialize.ts';
import { buildSequence } from '../payload/sequence.ts';
import { currentPlatform } from '../platform/current.ts';
import { thrownMessage } from '../user-code/thrown.ts';
import { userCode } from '../user-code/user-code.ts';
import { checked, contentOf, loadTried, type Rewrite, remedyByName } from './tried-module.ts';

type ProofResult = Pick<Proof, 'equality' | 'losses' | 'reason' | 'about' | 'misses' | 'fileBytes'>;

/** What a rewrite is compared with. */
interface Original {
  recipe: Recipe;
  /** Around each rewritten message. */
  envelope: Envelope;
  /** Never posted, never rewritten. */
  untouched: unknown;
  /** Two values of this recipe differ: a factory that uses a counter, the clock or random numbers. Set when seen. */
  varies: boolean;
  channel: Channel;
  /** As the channel does it. */
  delivered: Deliver;
  /** A plain clone of it; null when it cannot be cloned. */
  cloned: { data: unknown } | null;
}

/**
 * Proves each plan on a fresh value: apply, a real delivery, restore, comparison. Plain cloning has losses of its own
 * (classes, symbol keys, getters), which are not the rewrite's, so a loss is what a plain clone of the same value would
 * have kept. A value that cannot be cloned at all is compared with itself. The envelope of a library is put around what
 * the rewrite makes; the rewrite itself, and the paths of losses, know nothing of it.
 *
 * @throws ToolError of building the payload
 */
export async function prove({ recipe, channel, plans }: RequestOf<'prove'>): Promise<Proved> {
  const original = await deliverOriginal(recipe, channel);
  const proofs: Proof[] = [];
  for (const { remedy, plan } of plans)
    proofs.push({ remedy, plan, ...(await proveOne(original, remedy, plan)) });
  return { type: 'proved', proofs };
}

/** Plans of one payload come one by one: what they are compared with is built once. */
let latest: { key: string; original: Original } | null = null;

async function deliverOriginal(recipe: Recipe, channel: Channel = 'worker'): Promise<Original> {
  const key = JSON.stringify([recipe, channel]);
  if (latest?.key === key) return latest.original;
  const delivered = deliveryOver(channel, 'serialized');
  const { value: untouched } = await buildPayload(recipe);
  const { value: another } = await buildPayload(recipe);
  const varies = isModule(recipe) && compare(untouched, another).length > 0;
  const envelope = envelopeFor(recipe.via, 'alone');
  const cloned = await delivered(another).catch(() => null);
  latest = { key, original: { recipe, channel, delivered, envelope, untouched, varies, cloned } };
  return latest.original;
}

async function proveOne(original: Original, name: string, plan: Plan): Promise<ProofResult> {
  try {
    const tried = triedIn(plan);
    return await (tried ? proveTried(original, tried, plan) : attempts(original, remedyByName(name), plan));
  } catch (error) {
    if (error instanceof RemedyRefused) return { equality: 'refused', losses: [], reason: error.message };
    return failed(thrownMessage(error));
  }
}

/** With what the module says of itself. An error that escapes it (a timer, a rejected promise) is one of the rewrite. */
async function proveTried(original: Original, tried: TriedRewrite, plan: Plan): Promise<ProofResult> {
  const { rewrite, facts, misses } = await loadTried(tried);
  misses.clear();
  const result = await userCode(async () => {
    const proven = await attempts(original, checked(rewrite, tried), plan);
    await currentPlatform().turnOfEventLoop();
    return proven;
  });
  return { ...result, about: facts, ...(tried.isCodec && { misses: [...misses] }) };
}

/** On the payloads of a sequence in their order, each compared with what a plain clone brings, and once more at the end. */
async function attemptsInTurn(
  { recipe, delivered, envelope }: Original,
  rewrite: Rewrite,
  plan: Plan,
): Promise<ProofResult> {
  const arrived: { plain: unknown; restored: unknown }[] = [];
  const lossesOf = ({ plain, restored }: (typeof arrived)[number]) => quickly(plain, restored);
  for (const value of await buildSequence(recipe)) {
    const { data: plain } = await delivered(value);
    const { data } = await delivered(envelope.wrap(rewrite.apply(value, plan), []));
    arrived.push({ plain, restored: rewrite.restore(envelope.unwrap(data), plan) });
    const losses = lossesOf(arrived.at(-1)!);
    if (losses.length > 0) return { equality: 'lossy', losses, reason: null };
  }
  const [losses = []] = filter(map(arrived, lossesOf), ({ length }) => length > 0);
  return losses.length === 0
    ? { equality: 'equal', losses, reason: null }
    : failed(`a later message changed what had arrived, at ${losses[0]?.path}`);
}

async function attempts(original: Original, rewrite: Rewrite, plan: Plan): Promise<ProofResult> {
  if (rewrite.ofSequence) return attemptsInTurn(original, rewrite, plan);
  const first = await attempt(original, rewrite, plan);
  // A clock may have ticked between two values for the first time. The second attempt knows that it does.
  if ('changed' in first) {
    const { value } = await buildPayload(original.recipe);
    original.varies = compare(original.untouched, value).length > 0;
  }
  const again = 'changed' in first && original.varies;
  const result = again ? await attempt(original, rewrite, plan) : first;
  return 'changed' in result
    ? failed(`the rewrite changed the payload itself, at ${result.changed}`)
    : result;
}

/** On a value of its own. `changed`: the path where the remedy changed its input. */
async function attempt(
  original: Original,
  rewrite: Rewrite,
  plan: Plan,
): Promise<ProofResult | { changed: string }> {
  const { value } = await buildPayload(original.recipe);
  // A value that is never the same twice must be compared with its own clone.
  const cloned = original.cloned && original.varies ? await original.delivered(value) : original.cloned;
  const message = rewrite.apply(value, plan);
  const isOwn = triedIn(plan) === null && !isModule(original.recipe);
  const lossesIn = isOwn ? quickly : compare;
  const [changed] = original.varies ? [] : lossesIn(original.untouched, value);
  if (changed) return { changed: changed.path };
  const { envelope } = original;
  const buffers = envelope.transfers ? (rewrite.transfer?.(message, plan) ?? []) : [];
  const delivered = deliveryOver(original.channel, contentOf(rewrite, plan));
  const restore = (data: unknown) => rewrite.restore(envelope.unwrap(data), plan);
  // Bytes of a Blob are read later, and are gone with the database.
  const read = rewrite.isAwaited && (async (data: unknown) => restore(data));
  const { data, bytes } = await delivered(envelope.wrap(message, buffers), buffers, ...(read ? [read] : []));
  const restored = read ? data : restore(data);
  const losses =
    (await proxiesIn(restored, plan)) ?? provenLosses({ ...original, cloned }, value, restored, lossesIn);
  return {
    ...{ equality: losses.length === 0 ? 'equal' : 'lossy', losses, reason: null },
    ...(bytes !== undefined && { fileBytes: bytes }),
  };
}

/** A Proxy cannot be compared, and is not what was sent; only user code makes one. */
async function proxiesIn(restored: unknown, plan: Plan): Promise<Loss[] | null> {
  if (triedIn(plan) === null) return null;
  const { patterns } = describe(restored, await probeFor({ ask: false }));
  const proxies = filter(patterns, ({ kind }) => kind === 'proxy');
  if (proxies.length === 0) return null;
  return map(proxies, ({ example }) => ({ path: example, what: 'became a Proxy' }));
}

/** Compares data, and what the tool's own code made. */
const quickly: typeof compare = (original, restored) =>
  isSameTree(original, restored) ? [] : compare(original, restored);

const failed = (reason: string): ProofResult => ({ equality: 'failed', losses: [], reason });

/** `value` is what was rewritten; its buffers may have been transferred. */
function provenLosses(
  { untouched, varies, cloned }: Original,
  value: unknown,
  restored: unknown,
  lossesIn: typeof compare,
): Loss[] {
  const source = varies ? value : untouched;
  if (cloned === null) return lossesIn(source, restored);
  const losses = lossesIn(cloned.data, restored);
  if (losses.length === 0) return losses;
  // A rewrite may keep what a plain clone loses: it then differs from the clone, but not from the original.
  const real = new Set(map(compare(source, restored), ({ path }) => path));
  return filter(losses, ({ path }) => real.has(path));
}
