import type { Recipe } from '../../../model/report/recipe.ts';
import type { Variant } from '../../../model/wire/wire.ts';
import type { FarEnd } from '../../channel/channel.ts';
import type { GcPauses } from '../../platform/common/platform.ts';
import type { ProfileTarget, SideProfile } from './side-profiler.ts';

/** First message to a fresh peer, on its own channel, which is not measured. */
export interface PeerStart {
  recipe: Recipe;
  variants: Variant[];
  /** Its token also marks failures among the answers. */
  far: FarEnd;
  /** Memory of the shared instructions; null between processes. */
  memory: SharedArrayBuffer | null;
  /** The port on which messages are received without an event; null where they are received by event. */
  oneWay: MessagePort | null;
  /** Where the peer writes its profile; null without profiling. */
  profile: ProfileTarget | null;
}

/** The peer's answer when it has values for every variant. */
export interface PeerReady {
  /** Why the payload could not be built there. */
  failed: string | null;
  /** Index of each variant that cannot be timed, and why. */
  failures: [number, string][];
}

/** The peer's answer to the last instruction. */
export interface PeerResults {
  gc: GcPauses | null;
  /** null without profiling; a text is the reason why it failed. */
  profile: SideProfile | string | null;
}
