/** Where the bytes of a message go. */
import { z } from 'zod';

export type PostBytes = z.infer<typeof postBytesSchema>;
export const postBytesSchema = z
  .object({
    copied: z
      .number()
      .describe('Written into the message: buffers behind views whole, and once. `maxBytes` limits these.'),
    moved: z.number().describe('Memory of the buffers that are transferred: the sender has it no longer.'),
    shared: z
      .number()
      .describe('Memory that both sides have afterwards: SharedArrayBuffers, shared strings.'),
    by: z
      .enum(['serializer', 'formula', 'shape'])
      .describe(
        "How `copied` is known: the engine's own serializer, its formula for what it hands over in memory, or an estimate from the shape.",
      ),
  })
  .meta({ id: 'PostBytes', description: 'Bytes of one post, by what becomes of them.' });
