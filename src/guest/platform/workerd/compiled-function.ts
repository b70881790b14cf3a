/** Takes the place of `Function` in the bundles for workerd (scripts/build.mjs), where code may not be compiled from text. */
import { bindings } from '../../../engines/probe/workerd/probe.ts';

function compiled(...args: string[]): unknown {
  const body = args.pop() ?? '';
  const parameters = args.flatMap((names) => names.split(','));
  return bindings.UNSAFE.newFunction(body, 'compiled', ...parameters);
}
compiled.prototype = globalThis.Function.prototype;

export { compiled as Function };
