import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HotSpot } from '../../../model/profile.ts';
import type { Recipe } from '../../../model/recipe.ts';
import { stackLocationIn } from '../../user-code/stack-location.ts';

/** Adds the location in the user's own file, relative to the user's folder, also when a bundle of it ran. */
export function withSourceLocation(spot: HotSpot, { build }: Recipe): HotSpot {
  if (spot.work !== 'user' || spot.where === null) return spot;
  const location =
    build.form === 'module' ? stackLocationIn(spot.where, { file: build.file, name: build.original }) : null;
  if (location === null || build.form !== 'module') return { ...spot, where: withoutUrl(spot.where) };
  const file = location.file ?? relative(process.cwd(), build.original);
  return { ...spot, where: `${file}:${location.line}:${location.column}` };
}

const FILE_URL = /^(file:.*?)(?:\?[^:]*)?((?::\d+)*)$/;

function withoutUrl(where: string): string {
  const [, url, position = ''] = FILE_URL.exec(where) ?? [];
  return url === undefined ? where : relative(process.cwd(), fileURLToPath(url)) + position;
}
