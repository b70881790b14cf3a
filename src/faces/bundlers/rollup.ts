import { codecs } from './codecs.ts';
import type { CodecPluginOptions } from './options.ts';

export type { CodecPluginOptions } from './options.ts';

/** A plugin of rollup: `import { toMessage, fromMessage } from './orders.json?codec'`. */
export default (options: CodecPluginOptions = {}): { name: string } =>
  codecs.rollup(options) as { name: string };
