import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HotSpot } from '../../../model/profile.ts';
import type { Recipe } from '../../../model/recipe.ts';
import { stackLocationIn } from '../../user-code/stack-location.ts';

/** With the place in the user's own file, also when what ran is a bundle made of it; relative to the user's folder. */
export function withSourceLocation(spot: HotSpot, { build }: Recipe): HotSpot {
  if (spot.work !== 'user' || spot.where === null) return spot;
  const place =
    build.form === 'module' ? stackLocationIn(spot.where, { file: build.file, name: build.original }) : null;
  if (place === null || build.form !== 'module') return { ...spot, where: withoutUrl(spot.where) };
  const file = place.file ?? relative(process.cwd(), build.original);
  return { ...spot, where: `${file}:${place.line}:${place.column}` };
}

const PLACE = /^(file:.*?)(?:\?[^:]*)?((?::\d+)*)$/;

function withoutUrl(where: string): string {
  const [, url, place = ''] = PLACE.exec(where) ?? [];
  return url === undefined ? where : relative(process.cwd(), fileURLToPath(url)) + place;
}
