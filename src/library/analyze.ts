import type { Report } from '../model/documents/report.ts';
import { ToolError } from '../model/errors.ts';
import type { Channel, LibraryName } from '../model/names.ts';
import type { AppEvent } from '../model/run/events.ts';
import { analyzeLoaded, loadInputs, runtimesFor } from '../services/analysis.ts';
import { realServices, withWorkFolder } from '../services/services.ts';

/** The options of `clone-prof analyze`. */
export interface AnalyzeOptions {
  /** "node", "bun@1.4", "deno", a path to a binary; default: the running one, plus installed bun and deno. */
  runtimes?: string[] | undefined;
  /** Default: ["worker"]. */
  channels?: Channel[] | undefined;
  /** Only these exports of a module. */
  exports?: string[] | undefined;
  /** Wrap in the envelope of a library first. */
  via?: LibraryName[] | undefined;
  /** Also prove and time these rewrites: modules with `apply` and `restore`, or "msgpackr", "cbor-x", "devalue", ... */
  try?: string[] | undefined;
  /** Read files as this, whatever their ending. */
  as?: 'text' | 'bytes' | 'json' | undefined;
  /** Measuring time per payload and runtime, ms; default 5000. */
  budgetMs?: number | undefined;
  /**
   * Time for all payloads and runtimes together, ms; each then measures at most `budgetMs` at first. A run for which none is
   * left is `classified`, with the error 'total-spent'.
   */
  totalMs?: number | undefined;
  /** false: classify only. */
  measure?: boolean | undefined;
  /** Deadline of a guest beyond its budget, ms; default 30000. */
  timeoutMs?: number | undefined;
  /** Seed of every random choice; default 1. */
  seed?: number | undefined;
  /** Never fetch a runtime. */
  offline?: boolean | undefined;
  /** Fetch runtimes as the `.npmrc` of the working directory says too: its registry, its credentials. */
  projectNpmrc?: boolean | undefined;
  /** Fetch runtimes also from a registry that publishes no sha512 of them. */
  weakIntegrity?: boolean | undefined;
  /** Where relative paths start; default: the working directory. */
  cwd?: string | undefined;
  /** Kills the guests; the report has what was done until then. */
  signal?: AbortSignal | undefined;
  /** Called with steps, verdicts, notes and warnings. */
  onEvent?: ((event: AppEvent) => void) | undefined;
}

/**
 * The job of `clone-prof analyze`: real payloads in real runtimes, each in processes of its own. A payload or a runtime
 * that fails is a result in the report.
 *
 * @param inputs files, globs, or "-" for JSON on stdin
 * @throws ToolError 'no-input'; 'runtime-unknown', 'runtime-missing' when no runtime was found
 */
export async function analyze(inputs: string | string[], options: AnalyzeOptions = {}): Promise<Report> {
  const named = [inputs].flat();
  if (named.length === 0) throw new ToolError('no-input');
  const { try: tries, signal, cwd = process.cwd(), onEvent: emit = () => {} } = options;
  const services = realServices({ cwd: () => cwd, env: process.env, stdin: process.stdin });
  const fetching = {
    offline: options.offline ?? false,
    projectNpmrc: options.projectNpmrc ?? false,
    weakIntegrity: options.weakIntegrity ?? false,
    guestsIn: cwd,
    onNote: (text: string) => emit({ type: 'note', text }),
    ...(signal && { signal }),
  };
  return withWorkFolder(async (workdir) => {
    const asked = { ...options, tries, cwd };
    const loaded = await loadInputs(named, asked, services, workdir);
    const runtimes = await runtimesFor(options.runtimes ?? [], loaded, services, fetching);
    return analyzeLoaded(asked, loaded, runtimes, { ...services.tools, emit });
  });
}
