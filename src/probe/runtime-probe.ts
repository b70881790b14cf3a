import type { Storage } from '../core/describe/inspect/probe.ts';
import type { Shape } from '../model/documents/shape.ts';
import type { Channel } from '../model/names.ts';
import type { PathBytes } from '../model/wire/wire.ts';
import type { OracleResult } from './oracle/oracle-result.ts';

/**
 * What one runtime tells about how its engine stores and posts values. A new runtime is a row in `probe.ts`.
 * Where its engine cannot be asked, `storage` gives null (storage is then assumed by the engine's
 * rules), and `confirm` gives `notAnswered`.
 */
export interface RuntimeProbe {
  /**
   * null where the engine does not tell.
   *
   * @param fromJson the values come out of JSON.parse: nothing was deleted from them, Latin-1 text is stored as such
   */
  storage(fromJson: boolean): Promise<Storage | null>;
  /**
   * Asks the engine which path the payload takes, and whether it can be cloned.
   *
   * @param fresh builds the payload anew: posting changes strings, transferring detaches buffers. Its errors are thrown
   * @param shape of the payload
   * @param fromJson the value comes straight from JSON.parse: nothing is marked as uncloneable
   */
  confirm(
    fresh: () => Promise<unknown>,
    shape: Shape,
    channel: Channel,
    fromJson?: boolean,
  ): Promise<OracleResult>;
  /** So many values of one piece of code are stored otherwise than all later ones. */
  firstBuilds: number;
  /** Wire of the engine's own serializer; null where there is none, and for values that it refuses. */
  serialized(value: unknown): Uint8Array | null;
  /**
   * Bytes of the message that a post of this value makes, on each path that it may take. None for what the engine refuses,
   * and where it cannot be asked. Runs getters of the value. Without the memory of buffers in the transfer list.
   */
  messageBytes(value: unknown, shape: Shape, channel: Channel, transfer?: readonly unknown[]): PathBytes[];
}
