import type { HotSpot } from '../../../model/documents/profile.ts';
import type { Recipe } from '../../../model/report/recipe.ts';
import { currentPlatform } from '../../platform/current.ts';

/** Adds the location in the user's own file, relative to the user's folder, also when a bundle of it ran. */
export function withSourceLocation(spot: HotSpot, { build }: Recipe): HotSpot {
  if (spot.work !== 'user' || spot.where === null) return spot;
  if (build.form !== 'module') return { ...spot, where: withoutUrl(spot.where) };
  const { sources } = currentPlatform();
  const location = sources.stackLocation(spot.where, { file: build.file, name: build.original });
  if (location === null) return { ...spot, where: withoutUrl(spot.where) };
  const file = location.file ?? sources.shownPath(build.original);
  return { ...spot, where: `${file}:${location.line}:${location.column}` };
}

const FILE_URL = /^(file:.*?)(?:\?[^:]*)?((?::\d+)*)$/;

function withoutUrl(where: string): string {
  const [, url, position = ''] = FILE_URL.exec(where) ?? [];
  return url === undefined ? where : currentPlatform().sources.shownPath(url) + position;
}
