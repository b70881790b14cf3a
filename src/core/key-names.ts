/** Paths as a committed file may hold them: keys that are names stay, keys that are data become `.*`. */
import type { Shape } from '../model/documents/shape.ts';
import { isKeyName } from './masked-text.ts';
import { formatPath, type PathStep, parsePath, patternOf } from './paths.ts';

/** An object of so many different keys that the shape folds them is a map: its keys are data. */
function mapsIn(shape: Shape): Set<string> {
  const folded = shape.patterns.map(({ pattern }) => pattern).filter((pattern) => pattern.endsWith('.*'));
  return new Set(folded.map((pattern) => pattern.slice(0, -2)));
}

/** Writes the paths and patterns of a payload of this shape without keys that are data. */
export function withoutDataKeys(shape: Shape): (path: string) => string {
  const maps = mapsIn(shape);
  return (path) => {
    const steps = parsePath(path);
    if (steps === null) return path;
    const kept: PathStep[] = [];
    for (const [at, step] of steps.entries()) {
      const parent = patternOf(formatPath(steps.slice(0, at))) ?? '$';
      const isData = step.type === 'key' && (!isKeyName(step.key) || maps.has(parent));
      kept.push(isData ? { type: 'any-key' } : step);
    }
    return formatPath(kept);
  };
}
