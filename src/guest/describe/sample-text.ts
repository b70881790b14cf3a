import type { RequestOf, SampleText } from '../../model/wire/wire.ts';
import { materialize } from '../payload/materialize.ts';

/** The payload as JSON text; null when it is too long, or when a toJSON of the user's throws. */
export async function sampleText({ recipe, mostBytes }: RequestOf<'sample'>): Promise<SampleText> {
  const value = await materialize(recipe);
  try {
    const json = JSON.stringify(value) as string | undefined;
    const fits = json !== undefined && new TextEncoder().encode(json).byteLength <= mostBytes;
    return { type: 'sample', json: fits ? json : null };
  } catch {
    return { type: 'sample', json: null };
  }
}
