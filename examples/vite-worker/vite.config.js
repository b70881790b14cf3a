import { join } from 'node:path';
import codecs from 'clone-prof/vite';

export default { plugins: [codecs({ types: join(import.meta.dirname, 'src/codecs.d.ts') })] };
