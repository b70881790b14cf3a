import type { Shape } from '../../model/documents/shape.ts';
import { givenByEntry } from '../../model/given.ts';
import type { Channel, EngineName } from '../../model/names.ts';
import type { Confirmation, PathBytes } from '../../model/wire/wire.ts';
import { assumedStorage, type Probe, type Storage } from '../../value/describe/inspect/storage.ts';
import type { Fresh } from './oracle-result.ts';
import { type EngineTypes, giveTypes, typeDetection } from './type-detection.ts';

/** Without `storage`, or if it gives null, storage is assumed; if the engine cannot be queried, `confirm` gives `notAnswered`. */
export interface RuntimeProbe {
  readonly engine: EngineName;
  readonly types: EngineTypes;
  readonly sendsErrorProps?: boolean;
  utf8Bytes(text: string): number;
  /** null if the engine does not report it. @param fromJson nothing was deleted, Latin-1 text is stored as such */
  storage?(fromJson: boolean): Promise<Storage | null>;
  /**
   * Queries the path of the payload, and whether it can be cloned. Messages of JSON text are excluded.
   * @param fresh builds the payload anew: posting changes strings, transferring detaches buffers. Its errors are thrown
   * @param fromJson the value comes straight from JSON.parse: nothing is marked as uncloneable
   */
  confirm(fresh: Fresh, shape: Shape, channel: Channel, fromJson?: boolean): Promise<Confirmation>;
  /** Number of first values of one piece of code that are stored differently from all later values; absent: 1. */
  firstBuilds?: number;
  /** Wire of the engine's own serializer; null for values that it refuses. */
  serialized?(value: unknown): Uint8Array | null;
  /**
   * Bytes of the message on each path that it may take, without the memory of transferred buffers. Empty if the engine
   * refuses the value or cannot be queried. Runs getters of the value.
   */
  messageBytes(value: unknown, shape: Shape, channel: Channel, transfer?: readonly unknown[]): PathBytes[];
}

const given = givenByEntry<RuntimeProbe>('a probe');

/** Called by each entry that describes values, before user code loads. */
export function giveProbe(probe: RuntimeProbe): void {
  given.give(probe);
  giveTypes(probe.types);
}

export const runningProbe = given.get;

/** @param assume the engine whose storage is assumed from observable facts, without a query */
export async function probeFor({
  fromJson = false,
  assume,
}: {
  fromJson?: boolean;
  assume?: EngineName | undefined;
} = {}): Promise<Probe> {
  const { engine, utf8Bytes, storage, sendsErrorProps = false } = runningProbe();
  const told = assume ? null : await storage?.(fromJson);
  const types = typeDetection();
  return { types, storage: told ?? assumedStorage(assume ?? engine, fromJson), sendsErrorProps, utf8Bytes };
}

/** Where it does not matter how values are stored. */
export const unaskedProbe = (): Promise<Probe> => probeFor({ assume: runningProbe().engine });
