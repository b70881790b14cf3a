import { TRAFFIC_WORDS } from '../core/recording/sites/traffic-words.ts';
import type { Wording } from '../model/report/wording.ts';
import { wordsOf } from './wording.ts';

/** All texts for reports that may have recordings. */
export const reportWords = (): Wording => ({ ...wordsOf(), traffic: TRAFFIC_WORDS });
