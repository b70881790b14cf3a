/** What `record` needs of this machine to run a program with the recorder in it. */
import type { Frame, RecordingHeader } from '../../model/recording/recording.ts';
import { endWithVariable } from '../process/marked-children.ts';
import { prepareRecording } from './prepare.ts';
import { type ProgramExit, type ProgramOptions, runProgram } from './program.ts';
import { frameMapper } from './source-maps.ts';

type Environment = ProgramOptions['env'];

export interface Recorder {
  /**
   * Puts into the folder what starts the recorder in each thread.
   *
   * @returns variables of the program's environment: the recorder's before those that are there
   */
  prepare(folder: string, settings: RecorderSettings, env: Environment): Promise<Record<string, string>>;
  /** @param options `folder`: the one that was prepared */
  run(
    command: readonly string[],
    options: Omit<ProgramOptions, 'endRest'> & { folder: string },
  ): Promise<ProgramExit>;
  frameMapper(root: string): (frame: Frame) => Frame;
}

export interface RecorderSettings {
  values: RecordingHeader['values'];
  /** Folder of the command. */
  root: string;
}

export const recorder: Recorder = {
  async prepare(folder, { values, root }, env) {
    const kept = { values: values !== 'none', mask: values === 'masked', root };
    const variables = await prepareRecording(folder, kept);
    return Object.fromEntries(
      Object.entries(variables).map(([name, ours]) => [name, [ours, env[name] ?? ''].join(' ').trimEnd()]),
    );
  },
  // What the program started has the folder in its environment too.
  run: (command, { folder, ...options }) =>
    runProgram(command, { ...options, endRest: () => endWithVariable(folder) }),
  frameMapper,
};
