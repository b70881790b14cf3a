/** Looks up what happens to a platform object that is posted, in the table of engines/standard. */
import type { RuntimeId } from '../../model/documents/names.ts';
import type { Shape } from '../../model/documents/shape.ts';
import { type Channel, channelRow, isStore, type RuntimeName } from '../../model/names.ts';
import type { PlatformTable, PostOutcome } from '../../model/rules/platform-posts.ts';
import type { When } from '../../model/rules/rule.ts';
import { has } from '../shape-facts.ts';
import { filter } from '../value/lists.ts';
import { inRange } from '../versions.ts';

interface Where {
  runtime: RuntimeId;
  channel: Channel;
}

/** Returns null if the class is not in the table, the runtime does not have it, or no outcome was observed. */
export function postOutcomes(
  table: PlatformTable,
  name: string,
  { runtime, channel }: Where,
): readonly PostOutcome[] | null {
  const rows = Object.hasOwn(table, name) ? table[name as keyof PlatformTable][runtime.name] : undefined;
  const row = rows?.find(
    ({ versions = '*', channels }) =>
      inRange(runtime.version, versions) && (channels === undefined || channels.includes(channel)),
  );
  if (row === undefined || row.as.length === 0) return null;
  if (channelRow(channel).moves) return row.as;
  const copied = filter(row.as, (outcome) => outcome !== 'moved');
  return copied.length > 0 ? copied : ['refused'];
}

export function postedHolds(
  { by, all = [], none = [] }: NonNullable<When['posted']>,
  tag: string | undefined,
  context: Where,
): boolean {
  const outcomes = tag === undefined ? null : postOutcomes(by, tag, context);
  if (outcomes === null) return false;
  return all.every((one) => outcomes.includes(one)) && none.every((one) => !outcomes.includes(one));
}

/** First platform class in a payload that this runtime lacks, so that the payload cannot exist there; else null. */
export function missingClass({ patterns }: Shape, table: PlatformTable, runtime: RuntimeName): string | null {
  for (const row of patterns) {
    const { kind, tag } = row;
    const isPlatform = kind === 'platform' || (kind === 'object' && has(row, 'web-object'));
    if (!isPlatform || tag === undefined || !Object.hasOwn(table, tag)) continue;
    const rows = table[tag as keyof PlatformTable][runtime];
    if (rows === undefined) return tag;
    // Pages of Electron have classes that its main process lacks.
    if (rows.length > 0 && rows.every(({ channels }) => channels?.every(isStore))) return tag;
  }
  return null;
}
