/** What `record` needs of this machine to run a program with the recorder in it. */
import type { Frame, RecordingHeader } from '../../model/documents/recording.ts';
import { endWithVariable } from '../process/marked-children.ts';
import { type ProgramExit, type ProgramOptions, runProgram } from '../process/recorded-program.ts';
import { hasDisplay } from './page/driven-browser.ts';
import type { PageOptions, RecordedPage } from './page/record-page.ts';
import { preloadFolder, removePreload } from './preload-folder.ts';
import { prepareRecording } from './prepare.ts';
import { frameMapper } from './source-maps.ts';

type ProgramEnvironment = ProgramOptions['env'];

export interface Recorder {
  /** @param folder empty: threads will write into it */
  prepare(folder: string, settings: RecorderSettings, env: ProgramEnvironment): Promise<PreparedRecorder>;
  run(command: readonly string[], options: RunOptions): Promise<RecordedProgram>;
  frameMapper(root: string): (frame: Frame) => Frame;
  /** Opens a page with the recorder in it. @throws ToolError 'page-unreachable' */
  recordPage(options: Omit<PageOptions, 'isHeadless'> & { headless: boolean }): Promise<RecordedPage>;
}

export interface PreparedRecorder {
  /** Variables of the program's environment: the recorder's before those that are there. */
  env: Record<string, string>;
  /** Folder that is in them. */
  preload: string;
}

export interface RunOptions extends Omit<ProgramOptions, 'endRest'> {
  /** null: it runs without the recorder. */
  recorder: PreparedRecorder | null;
}

export interface RecordedProgram {
  exit: ProgramExit;
  /** Processes that it had started are still running. */
  hasLeft: boolean;
}

export interface RecorderSettings {
  values: RecordingHeader['values'];
  /** Folder of the command. */
  root: string;
}

export const recorder: Recorder = {
  async prepare(folder, { values, root }, env) {
    const kept = { values: values !== 'none', mask: values === 'masked', root };
    const preload = preloadFolder();
    const variables = Object.entries(await prepareRecording(folder, kept, preload));
    const merged = variables.map(([name, ours]) => [name, [ours, env[name] ?? ''].join(' ').trimEnd()]);
    return { env: Object.fromEntries(merged) as PreparedRecorder['env'], preload };
  },
  async run(command, { recorder: prepared, env, ...options }) {
    if (prepared === null) return { exit: await runProgram(command, { env, ...options }), hasLeft: false };
    const { preload, env: ours } = prepared;
    try {
      const endRest = () => endWithVariable(preload);
      const exit = await runProgram(command, { ...options, env: { ...env, ...ours }, endRest });
      return { exit, hasLeft: await removePreload(preload) };
    } catch (error) {
      await removePreload(preload);
      throw error;
    }
  },
  frameMapper,
  async recordPage({ headless, ...options }) {
    const { recordPage } = await import('./page/record-page.ts');
    return recordPage({ ...options, isHeadless: headless || !hasDisplay(options.env) });
  },
};
