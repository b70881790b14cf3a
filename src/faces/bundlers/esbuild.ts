import type { Plugin } from 'esbuild';
import { codecs } from './codecs.ts';
import type { CodecPluginOptions } from './options.ts';

export type { CodecPluginOptions } from './options.ts';

/** A plugin of esbuild: `import { toMessage, fromMessage } from './orders.json?codec'`. */
export default (options: CodecPluginOptions = {}): Plugin => codecs.esbuild(options);
