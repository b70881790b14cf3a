import { record } from '../../app/record/record.ts';
import type { Recording } from '../../model/documents/recording.ts';
import { ToolError } from '../../model/errors.ts';
import type { FoundRuntime } from '../../model/run/runtime.ts';
import type { ProgramExit, RecordedPage, Services } from '../../services/services.ts';
import { isWhole } from '../../store/recording-file.ts';
import { readThreads } from '../../store/thread-files.ts';
import type { PageToRecord, RecordOptions } from '../options/record.ts';
import type { World } from '../session/world.ts';

/** `clone-prof record --url http://localhost:5173`: until its tab is closed, the time is over, or Ctrl-C. */
export async function recordedPage(
  { page, values, forMs }: RecordOptions,
  folder: string,
  services: Services,
  world: World,
): Promise<{ exit: ProgramExit; recording: Recording }> {
  const { address, headless, runtime } = page!;
  const { tools } = services;
  const browser = await browserFor(runtime, services, world);
  const recorder = await services.recorder();
  let ended: RecordedPage | null = null;
  const onOpening = (isHeadless: boolean) =>
    void world.stderr.line(openingText(page!, browser, isHeadless, forMs));
  const run = async () => {
    ended = await recorder.recordPage({
      ...{ address, browser, headless, folder, values, forMs, onOpening },
      ...{ env: world.env, signals: world },
    });
    return { exit: exitOf(ended), hasLeft: false };
  };
  const readPages = () => {
    const { threads, gaps } = readThreads(folder);
    return { threads, gaps: [...gaps, ...(ended?.gaps ?? [])] };
  };
  const { exit, recording } = await record(
    {
      ...{ command: [shownAddress(address)], root: new URL('/', address).href, values },
      unreachable: 'No document of the page was reached: it did not begin to load.',
    },
    {
      run,
      readThreads: readPages,
      isWhole,
      mapFrame: (frame) => frame,
      now: tools.now,
      version: tools.version,
    },
  );
  return { exit, recording: { ...recording, header: { ...recording.header, exit: null } } };
}

async function browserFor(spec: string, services: Services, world: World): Promise<FoundRuntime> {
  const { found, missing } = await services.findRuntimes([spec], {
    ...{ offline: true, projectNpmrc: false, guestsIn: world.cwd(), forModules: false },
    onNote: () => undefined,
  });
  const [browser] = found;
  if (browser === undefined) throw missing[0]!.error;
  if (browser.name === 'chromium') return browser;
  const detail = `-r ${spec}: pages are recorded in Chromium and what is built of it (chromium, chrome, edge, brave)`;
  throw new ToolError('usage', { detail });
}

/** Ctrl-C is how a recording without a window is ended. A tab has no exit code. */
const exitOf = ({ end }: RecordedPage): ProgramExit => ({
  ...{ code: 0, notStarted: null, stoppedBy: null },
  signal: end === 'SIGTERM' || end === 'SIGHUP' || end === 'SIGQUIT' ? end : null,
});

/** Without what may be a secret. */
function shownAddress(address: string): string {
  const shown = new URL(address);
  for (const part of ['username', 'password', 'search', 'hash'] as const) shown[part] = '';
  return shown.href;
}

function openingText(
  { address, headless }: PageToRecord,
  { spec }: FoundRuntime,
  isHeadless: boolean,
  forMs: number | null,
): string {
  const why = headless ? 'without a window' : 'without a window, because there is no display';
  const until =
    forMs === null ? [...(isHeadless ? [] : ['close its tab']), 'press Ctrl-C'].join(' or ') : null;
  return [
    `clone-prof: opening ${shownAddress(address)} in ${spec}`,
    ...(isHeadless ? [` ${why}`] : []),
    ...(until === null ? [] : [`; ${until} to end the recording`]),
  ].join('');
}
