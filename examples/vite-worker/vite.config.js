import { join } from 'node:path';
import codecs from 'clone-prof/vite';

const plugins = () => [codecs({ types: join(import.meta.dirname, 'src/codecs.d.ts') })];

// Workers are built by themselves, with plugins of their own.
export default { plugins: plugins(), worker: { format: 'es', plugins } };
