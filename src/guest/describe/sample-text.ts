import type { GuestRequest, SampleText } from '../../model/wire.ts';
import { materialize } from '../payload/materialize.ts';

/** The payload as JSON text. A user's own toJSON may run, or throw: then there is no text. */
export async function sampleText({
  recipe,
  mostBytes,
}: Extract<GuestRequest, { type: 'sample' }>): Promise<SampleText> {
  const value = await materialize(recipe);
  try {
    const json = JSON.stringify(value) as string | undefined;
    const fits = json !== undefined && new TextEncoder().encode(json).byteLength <= mostBytes;
    return { type: 'sample', json: fits ? json : null };
  } catch {
    return { type: 'sample', json: null };
  }
}
