import type { Mask } from '../../core/recording/values/sample-options.ts';
import type { TapSettings } from '../../model/recording/settings.ts';

/** What is replaced in the messages whose values are kept, if the user wants that. */
export const keptOf = ({ values, mask }: Pick<TapSettings, 'values' | 'mask'>): Mask =>
  values ? (mask ? 'texts' : 'none') : 'all';
