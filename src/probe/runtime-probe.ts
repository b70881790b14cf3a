import type { Storage } from '../core/describe/probe.ts';
import type { Channel } from '../model/names.ts';
import type { Shape } from '../model/shape.ts';
import type { Confirmed } from './confirmed.ts';

/** What one runtime tells about how its engine stores and posts values. */
export interface RuntimeProbe {
  /** null where the engine does not answer. */
  storage(): Promise<Storage | null>;
  /**
   * Asks the engine which path the payload really takes, and what of it cannot be cloned.
   *
   * @param fresh builds the payload anew: posting changes strings, transferring detaches buffers. Its errors pass through
   * @param shape what `describe` says of the payload
   */
  confirm(fresh: () => Promise<unknown>, shape: Shape, channel: Channel): Promise<Confirmed>;
}
