import { transform } from 'esbuild';
import type { Advice } from '../../src/model/documents/trial.ts';

/** The lines of advised code that call the codec instead of declaring it. */
const CALL = /^(\/\/ |worker\.postMessage\(|const (message|payload) = )/;

/** JavaScript of the advised codec as a module; null where none is advised. */
export async function emittedModule({ action, module, code }: Advice): Promise<string | null> {
  if (action !== 'apply') return null;
  if (module) return (await transform(module, { loader: 'ts' })).code;
  if (code === null) return null;
  const declarations = code
    .split('\n')
    .filter((line) => !CALL.test(line))
    .join('\n');
  const names = ['toMessage', 'fromMessage', 'transferList'];
  const missing = names.filter((name) => !new RegExp(`^function ${name}\\(`, 'm').test(declarations));
  const sameValue = missing
    .filter((name) => name !== 'transferList')
    .map((name) => `const ${name} = (value) => value;\n`);
  const exported = names.filter((name) => name !== 'transferList' || !missing.includes(name));
  return `${declarations}\n${sameValue.join('')}export { ${exported.join(', ')} };\n`;
}
