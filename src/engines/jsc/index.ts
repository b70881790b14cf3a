import type { Engine } from '../../model/rules/rule.ts';
import { array } from './array.ts';
import { context } from './context.ts';
import { object, values } from './object.ts';
import { paths } from './paths.ts';
import { serializer } from './serializer.ts';
import { storage } from './storage.ts';
import { shares, strings } from './strings.ts';
import { unknowns } from './unknowns.ts';

/** JavaScriptCore as Bun builds it, with Bun's own fast paths. */
export const jsc: Engine = {
  name: 'jsc',
  paths,
  rules: [...context, ...values, ...object, ...array, ...strings, ...serializer, ...storage],
  unknowns,
  shares,
};
