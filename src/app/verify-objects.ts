/** Posts an object of each class of the platform over each channel, and compares what became of it with the table. */
import { postOutcomes } from '../core/classify/platform-posts.ts';
import { POSTS_OVER } from '../engines/index.ts';
import { CHANNELS, type Channel, channelRow, IPC_CHANNELS, mayHave } from '../model/names.ts';
import type { Recipe } from '../model/report/recipe.ts';
import type { ObjectResult } from '../model/report/verify.ts';
import { type PlatformTable, POST_OUTCOMES, type PostOutcome } from '../model/rules/platform-posts.ts';
import type { Interruption } from '../model/run/runtime.ts';
import { PLATFORM_CLASSES, type PlatformClassName } from '../model/vocabulary/platform-classes.ts';
import type { LossesFound, RealLoss } from '../model/wire/wire.ts';
import type { GuestSlot } from './guest-slot.ts';

/** Over these no objects are posted: JSON text has none, children of Node have what a file has. */
const WITHOUT: readonly Channel[] = [...IPC_CHANNELS, 'extension', 'node-worker'];
const objectChannels = ({ runtime }: GuestSlot): readonly Channel[] =>
  CHANNELS.filter((channel) => mayHave(runtime.name, channel) && !WITHOUT.includes(channel));

interface Objects {
  slot: GuestSlot;
  /** A module with a factory for each class, under its name. */
  file: string;
  deadlineMs: number;
  table: PlatformTable;
}

interface ObjectTrial extends Objects {
  name: PlatformClassName;
  channel: Channel;
}

export async function verifyObjects(objects: Objects, signal?: Interruption): Promise<ObjectResult[]> {
  const results: ObjectResult[] = [];
  for (const channel of objectChannels(objects.slot))
    for (const name of Object.keys(PLATFORM_CLASSES) as PlatformClassName[])
      if (signal?.aborted !== true) results.push(await verifyObject({ ...objects, name, channel }));
  return results;
}

async function verifyObject(trial: ObjectTrial): Promise<ObjectResult> {
  const { slot, name, channel, table } = trial;
  const { runtime } = slot;
  const told = postOutcomes(POSTS_OVER[channel] ?? table, name, { runtime, channel });
  const { seen, why } = await seenOutcomes(trial).catch((error: Error) => ({
    seen: null,
    why: error.message,
  }));
  const isCompared = told !== null && seen !== null;
  const agrees = POST_OUTCOMES.every((one) => told?.includes(one) === seen?.includes(one));
  return {
    ...{ runtime: runtime.spec, class: name, channel, told, seen, why },
    holds: isCompared ? agrees && why === '' : null,
  };
}

async function seenOutcomes(trial: ObjectTrial): Promise<{ seen: PostOutcome[]; why: string }> {
  const { name, channel } = trial;
  const { moves = false } = channelRow(channel);
  const isListed = moves && PLATFORM_CLASSES[name].marked.includes('transferable');
  const listed = isListed ? await posted(trial, { transfer: ['$'] }) : null;
  const isMoved = listed !== null && listed.refused === null && !isLost(listed);
  // Two references to it show whether they stay one.
  const { refused, losses } = await posted(trial, {}, true);
  if (refused !== null) return { seen: [isMoved ? 'moved' : 'refused'], why: '' };
  if (isLost({ losses })) return { seen: ['lost'], why: '' };
  const arrived = arrivals(losses ?? []);
  const seen = arrived.outcomes.includes('emptied') ? [] : (['cloned'] as const);
  return {
    seen: [...seen, ...(isMoved ? (['moved'] as const) : []), ...arrived.outcomes],
    why: arrived.others.map(({ path, what }) => `${path}: ${what}`).join('; '),
  };
}

function arrivals(losses: readonly RealLoss[]): { outcomes: PostOutcome[]; others: RealLoss[] } {
  const outcomes = new Set<PostOutcome>();
  for (const { kind, what } of losses) {
    if (what === 'shared reference became a copy') outcomes.add('apart');
    else if (what.endsWith(' became object')) outcomes.add('emptied');
    else if (kind === 'class') outcomes.add('other-class');
  }
  // Another class has other fields.
  const isOther = outcomes.has('emptied') || outcomes.has('other-class');
  const others = losses.filter(
    ({ kind, what }) => kind !== 'class' && what !== 'shared reference became a copy',
  );
  return { outcomes: [...outcomes], others: isOther ? [] : others };
}

const isLost = ({ losses }: Pick<LossesFound, 'losses'>): boolean =>
  losses?.some(({ kind }) => kind === 'delivery') ?? false;

function posted(
  { slot, file, name, channel, deadlineMs }: ObjectTrial,
  listing: Pick<Recipe, 'transfer'>,
  twice = false,
): Promise<LossesFound> {
  const recipe: Recipe = {
    id: name,
    source: { file, export: name },
    build: { form: 'module', file, original: file, export: name },
    ...listing,
  };
  return slot.ask({ type: 'losses', recipe, channel, twice }, { file, deadlineMs });
}
