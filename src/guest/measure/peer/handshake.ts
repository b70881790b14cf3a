import type { Recipe } from '../../../model/recipe.ts';
import type { Variant } from '../../../model/wire.ts';
import type { Channel } from '../../../model/words.ts';
import type { ProfilePlace, SideProfile } from '../profile/side-profiler.ts';
import type { GcPauses } from './endpoint.ts';

/** First message to a fresh peer, on its own lane; never a measured one. */
export interface PeerStart {
  recipe: Recipe;
  variants: Variant[];
  channel: Channel;
  /** Marks a fault among the answers, and names the broadcast channel. */
  token: string;
  /** Memory of the control block; null between processes. */
  memory: SharedArrayBuffer | null;
  /** The measured port; null for channels that bring their own lane. */
  port: MessagePort | null;
  /** Where messages are taken without an event; null where they come by event all the same. */
  oneWay: MessagePort | null;
  /** Where the peer writes a profile of itself; null when none is wanted. */
  profile: ProfilePlace | null;
}

/** The peer's answer, once it holds values for every variant. */
export interface PeerReady {
  /** Why the payload could not be built there. */
  failed: string | null;
  /** Variants that cannot take part, by their place. */
  failures: [number, string][];
}

/** The peer's answer to the last order. */
export interface PeerResults {
  gc: GcPauses | null;
  /** Null when none was wanted, or in words why it could not be written. */
  profile: SideProfile | string | null;
}
