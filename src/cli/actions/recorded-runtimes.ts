import { type RuntimeId, runtimeWord } from '../../model/names.ts';
import type { Source } from '../../model/recipe.ts';
import type { FoundRuntime, FoundRuntimes } from '../../model/runtime.ts';
import type { FetchOptions, Services } from '../../services.ts';

/**
 * The runtimes that were asked for; else those that recordings were made on, and for other inputs what is here. Recordings
 * may be a stranger's: they choose among the runtimes of the user's, and nothing is fetched or started for them.
 */
export async function runtimesFor(
  asked: string[],
  sources: readonly Source[],
  { findRuntimes, listRuntimes }: Services,
  options: FetchOptions,
): Promise<FoundRuntimes> {
  const recorded = recordedRuntimes(sources);
  if (asked.length > 0 || recorded.length === 0) return findRuntimes(asked, options);
  const here = (await listRuntimes()).filter(({ needs }) => needs === undefined);
  const own = recorded.flatMap((runtime) => like(runtime, here, options.onNote) ?? []);
  const isMixed = own.length === 0 || sources.some((source) => !source.recorded);
  const others = isMixed ? await findRuntimes([], options) : { found: [], missing: [] };
  const found = new Map([...own, ...others.found].map((runtime) => [runtime.spec, runtime]));
  return { ...others, found: [...found.values()] };
}

/** Each once: of the first process, and of others that post. */
function recordedRuntimes(sources: readonly Source[]): RuntimeId[] {
  const all = sources.flatMap(
    ({ recorded }) => recorded?.traffic.runtime ?? recorded?.recording.runtime ?? [],
  );
  return [...new Map(all.map((runtime) => [`${runtime.name}@${runtime.version}`, runtime])).values()];
}

/** The same version, else the first of that name, which is said. */
function like(
  { version, ...runtime }: RuntimeId,
  here: readonly FoundRuntime[],
  onNote: (text: string) => void,
): FoundRuntime | null {
  const named = here.filter(({ name }) => name === runtime.name);
  const same = named.find((one) => one.version === version);
  if (same) return same;
  const recorded = `recorded on ${runtimeWord({ ...runtime, version })} ${version}, which is not here`;
  const [first] = named;
  onNote(`${recorded}: analyzed on ${first ? `${first.name} ${first.version}` : 'what is here'}`);
  return first ?? null;
}
