import type { RuntimeId } from '../../model/documents/names.ts';
import { PROCESS_RUNTIMES, type RuntimeName, runtimeWord } from '../../model/names.ts';
import type { Source } from '../../model/report/recipe.ts';
import type { FoundRuntime, FoundRuntimes } from '../../model/run/runtime.ts';
import type { FetchOptions, Services } from '../../services/services.ts';

/**
 * The runtimes that were asked for; else those that recordings were made on, and for other inputs what is here. Recordings
 * are not trusted: they choose among Node, Bun and Deno of the user's. Nothing is fetched, and no browser is started.
 */
export async function runtimesFor(
  asked: string[],
  sources: readonly Source[],
  { findRuntimes, listRuntimes }: Services,
  options: FetchOptions,
): Promise<FoundRuntimes> {
  const recorded = recordedRuntimes(sources);
  if (asked.length > 0 || recorded.length === 0) return findRuntimes(asked, options);
  const usual = await findRuntimes([], options);
  // Looking for all takes much longer.
  const isUsual = recorded.every((one) => usual.found.some((found) => isSame(found, one)));
  const all = isUsual ? usual.found : [...usual.found, ...(await listRuntimes())];
  const here = all.filter(({ name, needs }) => isProcess(name) && needs === undefined);
  const own = recorded.flatMap((runtime) => like(runtime, here, options.onNote) ?? []);
  const isMixed = own.length === 0 || sources.some((source) => !source.recorded);
  const found = new Map([...own, ...(isMixed ? usual.found : [])].map((runtime) => [runtime.spec, runtime]));
  return { found: [...found.values()], missing: isMixed ? usual.missing : [] };
}

const isProcess = (name: RuntimeName): boolean => PROCESS_RUNTIMES.some((one) => one === name);

const isSame = (a: RuntimeId, b: RuntimeId): boolean => a.name === b.name && a.version === b.version;

/** Each once: of the first process, and of others that post. */
function recordedRuntimes(sources: readonly Source[]): RuntimeId[] {
  const all = sources.flatMap(
    ({ recorded }) => recorded?.traffic.runtime ?? recorded?.recording.runtime ?? [],
  );
  return [...new Map(all.map((runtime) => [`${runtime.name}@${runtime.version}`, runtime])).values()];
}

/** The same version, else the first of that name, which is said. */
function like(
  recorded: RuntimeId,
  here: readonly FoundRuntime[],
  onNote: (text: string) => void,
): FoundRuntime | null {
  const same = here.find((one) => isSame(one, recorded));
  if (same) return same;
  const first = here.find(({ name }) => name === recorded.name);
  const other = first ? `${first.name} ${first.version}` : 'what is here';
  const word = runtimeWord(recorded);
  const why = isProcess(recorded.name) ? 'which is not here' : `which is started with -r ${word}`;
  onNote(`recorded on ${word} ${recorded.version}, ${why}: analyzed on ${other}`);
  return first ?? null;
}
