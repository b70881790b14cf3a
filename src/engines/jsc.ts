import type { Engine } from '../model/rule.ts';
import { array } from './jsc/array.ts';
import { context } from './jsc/context.ts';
import { object } from './jsc/object.ts';
import { paths } from './jsc/paths.ts';
import { serializer } from './jsc/serializer.ts';
import { strings } from './jsc/strings.ts';
import { unknowns } from './jsc/unknowns.ts';
import { values } from './jsc/values.ts';

/** JavaScriptCore as Bun builds it, with Bun's own fast paths. */
export const jsc: Engine = {
  name: 'jsc',
  paths,
  rules: [...context, ...values, ...object, ...array, ...strings, ...serializer],
  unknowns,
};
