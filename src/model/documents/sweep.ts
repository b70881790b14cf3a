/** Schema of the result of `sweep`: cost against size for each strategy, and crossovers of strategies. Times in ns. */

import { SWEEP_SCHEMA } from '../names.ts';
import * as s from '../schema.ts';
import { estimateSchema, intervalSchema, peakMemorySchema, ratioSchema } from './measurement.ts';
import { channelSchema, runtimeNameSchema } from './names.ts';
import { machineSchema, runErrorSchema } from './report.ts';
import { dimensionSchema, unitSchema } from './shape.ts';

const runtimeSchema = s.object({ name: runtimeNameSchema, version: s.string() });

export type Published = s.TypeOf<typeof publishedSchema>;
export const publishedSchema = s.object({
  value: s.number('ns; times faster for a speedup'),
  of: s.oneOf(['send', 'clone', 'speedup']),
  on: s.string(),
  source: s.string(),
  measured: s.nullable(s.number(), 'The same quantity here.'),
});

export type PublishedFigure = Omit<Published, 'measured'>;

export type SweepPoint = s.TypeOf<typeof pointSchema>;
export const pointSchema = s.object({
  runtime: runtimeSchema,
  channel: channelSchema,
  payload: s.string(),
  strategy: s.string('raw, json-text, partial-text, bytes-transferred or a remedy'),
  size: s.number(),
  unit: unitSchema,
  roundTrip: s.nullable(estimateSchema),
  send: s.nullable(estimateSchema),
  receive: s.nullable(estimateSchema),
  ratio: s.nullable(ratioSchema, 'Round trip over that of raw.'),
  peakMemory: s.nullable(peakMemorySchema),
  published: s.nullable(publishedSchema),
  error: s.nullable(runErrorSchema),
});

const placeFields = {
  runtime: runtimeSchema,
  channel: channelSchema,
  payload: s.string(),
  unit: unitSchema,
};

export type Crossover = s.TypeOf<typeof crossoverSchema>;
export const crossoverSchema = s.object({
  ...placeFields,
  between: s.tuple([s.string(), s.string()]),
  size: s.number(),
  ci: intervalSchema,
  cheaper: s.object({ below: s.string(), above: s.string() }),
});

export type StrategyResult = s.TypeOf<typeof standingSchema>;
export const standingSchema = s.object({
  ...placeFields,
  strategy: s.string(),
  faster: s.list(s.number()),
  slower: s.list(s.number()),
  even: s.list(s.number(), 'No difference of 5 % or more.'),
  undecided: s.list(s.number(), 'The interval allows a difference and none.'),
});

export type Folklore = s.TypeOf<typeof folkloreSchema>;
export const folkloreSchema = s.object({
  says: s.string('A published rule of thumb: "fully stringify every message".'),
  strategy: s.string(),
  source: s.string(),
});

export type LeftOut = s.TypeOf<typeof leftOutSchema>;
export const leftOutSchema = s.object('A strategy that was not timed, and why.', {
  runtime: runtimeSchema,
  strategy: s.string(),
  reason: s.string(),
});

export type SweepReport = s.TypeOf<typeof sweepSchema>;
export const sweepSchema = s.document(
  'clone-prof sweep',
  'What clone-prof sweep --format json prints. Times in ns.',
  {
    schema: s.literal(SWEEP_SCHEMA),
    tool: s.object({ version: s.string() }),
    machine: machineSchema,
    seed: s.number(),
    preset: s.nullable(s.string()),
    title: s.string(),
    dimension: s.nullable(dimensionSchema, 'The part that was scaled; null for a preset.'),
    points: s.list(pointSchema),
    crossovers: s.list(crossoverSchema),
    standings: s.list(standingSchema),
    folklore: s.nullable(folkloreSchema),
    leftOut: s.list(leftOutSchema),
    interrupted: s.boolean('Ended before all sizes were measured.'),
  },
);
