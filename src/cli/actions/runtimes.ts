import { ToolError } from '../../model/errors.ts';
import { EXIT } from '../../model/exit-codes.ts';
import type { RenderOptions } from '../../model/report/render-options.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { runtimeNodes } from '../../reporters/print/runtimes.ts';
import { terminalNodes } from '../../reporters/terminal/nodes.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import type { Services } from '../../services/services.ts';
import type { RuntimesSettings } from '../options/all.ts';
import { usage } from '../options/option.ts';
import { printResult } from '../session/output.ts';
import { fetchOptions, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

/** `clone-prof runtimes`, `runtimes add <spec...>`, `runtimes remove <spec...>`. */
export async function runRuntimes(
  options: RuntimesSettings,
  world: World,
  services: Services,
): Promise<number> {
  const [action, ...specs] = options.words;
  if (action === undefined) return print(await services.listRuntimes(), options, world);
  if (action !== 'add' && action !== 'remove')
    throw usage(`runtimes: '${action}' is unknown. Known: add, remove`);
  if (specs.length === 0)
    throw usage(`runtimes ${action}: name what, for example: clone-prof runtimes ${action} bun@1.3`);
  const changed = await withSession(services, world, async (session) => {
    const done: FoundRuntime[] = [];
    for (const spec of specs) {
      if (action === 'add') done.push(await services.addRuntime(spec, fetchOptions(session, options)));
      else done.push(...(await removed(spec, services)));
    }
    return done;
  });
  return print(changed, options, world);
}

async function removed(spec: string, services: Services): Promise<FoundRuntime[]> {
  const gone = await services.removeRuntimes(spec);
  if (gone.length > 0) return gone;
  throw new ToolError('runtime-missing', { value: spec, detail: 'it is not in the cache' });
}

async function print(runtimes: FoundRuntime[], { format }: RuntimesSettings, world: World): Promise<number> {
  // Who reads a pipe wants whole paths.
  const isWide = world.stdout.isTTY !== true && world.env.COLUMNS === undefined;
  const listed = (options: RenderOptions) =>
    terminalNodes(
      runtimeNodes(runtimes),
      isWide ? { ...options, columns: Number.POSITIVE_INFINITY } : options,
    );
  await printResult(format === 'json' ? () => escapedJson(runtimes) : listed, world);
  return EXIT.ok;
}
