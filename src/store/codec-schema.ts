import { type CodecSchema, codecSchemaSchema } from '../model/documents/payload-schema.ts';

/** Schema in the last line of a codec. Null for what is not a schema: somebody may have edited it. */
export function codecSchemaOf(json: string): CodecSchema | null {
  try {
    return codecSchemaSchema.parse(JSON.parse(json));
  } catch {
    return null;
  }
}
