import { BRANDS, CHANNELS, COST_CLASSES, ENGINE_NAMES, PATH_NAMES, RUNTIME_NAMES } from '../names.ts';
import * as s from '../schema.ts';

export const engineSchema = s.oneOf(ENGINE_NAMES);

export const runtimeNameSchema = s.oneOf(RUNTIME_NAMES);

export type RuntimeId = s.TypeOf<typeof runtimeIdSchema>;
export const runtimeIdSchema = s.named('Runtime', 'A program that runs JavaScript.', {
  name: runtimeNameSchema,
  brand: s.optional(
    s.oneOf(BRANDS, 'What a browser that was not started by this program calls itself, beside its family.'),
  ),
  version: s.text('Exact, without a leading "v": "24.21.0".'),
  engine: engineSchema,
});

export const channelSchema = s.oneOf(CHANNELS);

export const pathNameSchema = s.oneOf(PATH_NAMES, {
  id: 'Path',
  description: 'Which way the engine takes with the message as a whole.',
});

export const costClassSchema = s.oneOf(COST_CLASSES, {
  id: 'CostClass',
  description: 'What a payload costs, best first: as much as its worst part.',
});
