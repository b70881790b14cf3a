import { dimensionsOf } from '../../core/sweep/dimensions.ts';
import type { Dimensions, RequestOf } from '../../model/wire/wire.ts';
import { typeDetection } from '../../probe/type-detection/type-detection.ts';
import { buildPayload } from '../payload/materialize.ts';

/** What can be scaled in a payload. @throws ToolError of building it */
export async function dimensions({ recipe }: RequestOf<'dimensions'>): Promise<Dimensions> {
  const { value } = await buildPayload({ ...recipe, scale: null });
  return { type: 'dimensions', found: dimensionsOf(value, typeDetection.isProxy) };
}
