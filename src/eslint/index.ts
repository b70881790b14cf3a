/** A plugin of ESLint: what a recording, or a report of one, says of the lines that post. */
import type { ESLint } from 'eslint';
import { postMessage } from './post-message.ts';

const plugin: ESLint.Plugin = {
  meta: { name: 'clone-prof', namespace: 'clone-prof' },
  rules: { 'post-message': postMessage },
};

export default plugin;
