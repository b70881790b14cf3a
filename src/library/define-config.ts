import type { Config } from '../model/gate/config.ts';

/** The config itself: an editor completes and checks what is written in the call. */
export const defineConfig = (config: Config): Config => config;
