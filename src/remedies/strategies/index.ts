import type { Plan } from '../../model/documents/trial.ts';
import type { Remedy } from '../../model/rules/remedy.ts';
import type { StrategyName } from '../../model/vocabulary/sweep.ts';
import { jsonText } from '../json-text.ts';
import { bytesTransferred } from './bytes-transferred.ts';
import { partialText } from './partial-text.ts';

/** What a sweep times besides remedies, for comparison with published advice. `json-text` is a remedy as well. */
export const STRATEGIES = {
  'json-text': jsonText,
  'partial-text': partialText,
  'bytes-transferred': bytesTransferred,
} as const satisfies Record<StrategyName, Remedy>;

/** The plan of every strategy: the whole payload. */
export const WHOLE: Plan = { path: '$', paths: ['$'] };
