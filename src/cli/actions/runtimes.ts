import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import { terminalRuntimes } from '../../reporters/terminal/runtimes.ts';
import { escapedJson } from '../../reporters/text/json.ts';
import type { Services } from '../../services/services.ts';
import type { Fetching } from '../options/values.ts';
import { EXIT } from '../session/exit-code.ts';
import { printResult } from '../session/output.ts';
import { fetchOptions, withSession } from '../session/session.ts';
import type { World } from '../session/world.ts';

export interface RuntimesOptions extends Fetching {
  words: string[];
  format: 'terminal' | 'json';
}

/** `clone-prof runtimes`, `runtimes add <spec...>`, `runtimes remove <spec...>`. */
export async function runRuntimes(
  options: RuntimesOptions,
  services: Services,
  world: World,
): Promise<number> {
  const [action, ...specs] = options.words;
  if (action === undefined) return print(await services.listRuntimes(), options, world);
  if (action !== 'add' && action !== 'remove') {
    throw new ToolError('usage', { detail: `runtimes: '${action}' is unknown. Known: add, remove` });
  }
  if (specs.length === 0) {
    throw new ToolError('usage', {
      detail: `runtimes ${action}: name what, for example: clone-prof runtimes ${action} bun@1.3`,
    });
  }
  const done = action === 'add' ? await add(specs, options, services, world) : await remove(specs, services);
  return print(done, options, world);
}

function add(
  specs: string[],
  options: RuntimesOptions,
  services: Services,
  world: World,
): Promise<FoundRuntime[]> {
  return withSession(services, world, async (session) => {
    const added: FoundRuntime[] = [];
    for (const spec of specs) added.push(await services.addRuntime(spec, fetchOptions(session, options)));
    return added;
  });
}

async function remove(specs: string[], services: Services): Promise<FoundRuntime[]> {
  const removed: FoundRuntime[] = [];
  for (const spec of specs) {
    const gone = await services.removeRuntimes(spec);
    if (gone.length === 0)
      throw new ToolError('runtime-missing', { value: spec, detail: 'it is not in the cache' });
    removed.push(...gone);
  }
  return removed;
}

async function print(runtimes: FoundRuntime[], { format }: RuntimesOptions, world: World): Promise<number> {
  const draw = format === 'json' ? () => escapedJson(runtimes) : terminalRuntimes.bind(null, runtimes);
  await printResult(draw, world);
  return EXIT.ok;
}
