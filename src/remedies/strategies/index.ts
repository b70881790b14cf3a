import type { Plan, Remedy } from '../../model/remedy.ts';
import type { StrategyName } from '../../model/sweep.ts';
import { jsonText } from '../json-text.ts';
import { bytesTransferred } from './bytes-transferred.ts';
import { partialText } from './partial-text.ts';

/** Ways of sending that a sweep times though nobody recommends them. `json-text` is a remedy as well. */
export const STRATEGIES = {
  'json-text': jsonText,
  'partial-text': partialText,
  'bytes-transferred': bytesTransferred,
} as const satisfies Record<StrategyName, Remedy>;

/** The whole payload, whichever the strategy. */
export const WHOLE: Plan = { path: '$', paths: ['$'] };
