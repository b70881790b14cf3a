import type { Obstacle, Trial } from '../../model/documents/trial.ts';

/**
 * What stands in the way where no rewrite gives back an equal payload: the first loss of one that was tried, or why it was
 * refused; else what JSON text, which fits most payloads, would not give back.
 */
export function obstacleIn(trials: readonly Trial[], ofJson: Obstacle | null): { obstacle?: Obstacle } {
  if (trials.some(({ equality, losses }) => equality === 'equal' && losses.length === 0)) return {};
  const [found] = [...trials.flatMap(lossesOf), ...trials.flatMap(refusalOf), ...(ofJson ? [ofJson] : [])];
  return found === undefined ? {} : { obstacle: found };
}

const lossesOf = ({ remedy, losses }: Trial): Obstacle[] =>
  losses.slice(0, 1).map(({ path, what }) => ({ remedy, path, what }));

const refusalOf = ({ remedy, path, reason }: Trial): Obstacle[] =>
  reason === undefined ? [] : [{ remedy, path, what: reason }];
