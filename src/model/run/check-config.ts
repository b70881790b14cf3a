import type { Demand, Limit } from '../documents/baseline.ts';
import type { LimitName, NewPolicy, UndecidedPolicy } from '../gate/limits.ts';
import type { Channel } from '../names.ts';

/** A payload of the config: what its own entry says, else what the config says for all, else defaults. */
export interface CheckEntry extends Omit<Demand, 'limits'> {
  type?: string | undefined;
  limits: Partial<Record<LimitName, Limit>>;
}

/** Name of an entry: its id, or else the name of its file without the ending. */
export const entryName = ({ id, input }: Pick<CheckEntry, 'id' | 'input'>): string =>
  id ?? input.slice(input.lastIndexOf('/') + 1).replace(/(?<=.)\.[^.]*$/, '');

/** One entry of the config on one runtime over one channel: the unit that shards distribute. */
export interface CheckUnit {
  entry: CheckEntry;
  /** Name of the runtime in the config. */
  spec: string;
  channel: Channel;
}

export interface CheckConfig {
  file: string | null;
  folder: string;
  baseline: string;
  /** Folder of the payloads that are made from recordings, relative to the config's folder. */
  fixtures: string;
  /** True if the config names the baseline: then the file must exist. */
  needsBaseline: boolean;
  new: NewPolicy;
  undecided: UndecidedPolicy;
  /** Demands that it no longer has: "orders", "orders on bun", "orders over ipc-json". */
  removed: string[];
  common: CheckEntry;
  entries: CheckEntry[];
}
