import type { Plan } from '../../model/documents/trial.ts';

/** A rewrite, or what is timed for one. */
interface Planned {
  remedy: string | null;
  plan: Plan | null;
}

/**
 * Orders rewrites from the least to the most that a program has to change; a user's own, which is in no list, comes last.
 * Between two plans of one remedy, the one for the outer path comes first.
 */
export function bySimplicity(simplestFirst: readonly string[]) {
  const rankOf = ({ remedy }: Planned): number => {
    const rank = simplestFirst.indexOf(remedy ?? '');
    return rank < 0 ? simplestFirst.length : rank;
  };
  const depthOf = ({ plan }: Planned): number => plan?.path.length ?? 0;
  return (a: Planned, b: Planned): number => rankOf(a) - rankOf(b) || depthOf(a) - depthOf(b);
}
