import { dimensionsOf } from '../../core/sweep/dimensions.ts';
import type { Dimensions, GuestRequest } from '../../model/wire.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { build } from '../payload/materialize.ts';

/** What of a payload can be scaled. Throws what building the payload throws. */
export async function dimensions({
  recipe,
}: Extract<GuestRequest, { type: 'dimensions' }>): Promise<Dimensions> {
  // The envelope of a library is put around the scaled payload.
  const { value } = await build({ ...recipe, via: null, scale: null });
  return { type: 'dimensions', found: dimensionsOf(value, typeDetection.isProxy) };
}
