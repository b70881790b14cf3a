import type { TapSettings } from '../../model/recording/settings.ts';

/** What is replaced in messages whose values are kept. */
export const keptOf = ({ values, mask }: Pick<TapSettings, 'values' | 'mask'>): 'all' | 'texts' | 'none' =>
  values ? (mask ? 'texts' : 'none') : 'all';
