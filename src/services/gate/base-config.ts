/** The config of another commit. */
import { existsSync, realpathSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { projectRoot } from '../../machine/folders.ts';
import { ToolError } from '../../model/errors.ts';
import type { CheckConfig } from '../../model/gate/limits.ts';
import type { BaseFolder } from '../../repository/base-folder.ts';
import { pathInRepository } from '../../repository/commit.ts';
import { bundleConfig } from '../../sources/bundle.ts';
import { readConfig } from '../../store/config/config.ts';
import type { Work } from '../work.ts';
import type { CheckQuery } from './gate-request.ts';

export interface Checkout {
  base: BaseFolder;
  /** The config's folder, in the checkout of now and in the commit. */
  now: string;
  folder: string;
  /** What stands for the working folder. */
  cwd: string;
}

/**
 * The config of the other commit, found as that of now is, by its name or as the nearest one: a change may have renamed or
 * moved it. Without a file, a config without payloads and with the common limits; a text where it cannot be read.
 */
export async function configBefore(
  { base, folder, cwd }: Checkout,
  { config: named, timeoutMs }: Pick<CheckQuery, 'config' | 'timeoutMs'>,
  { cwd: here, emit, workdir, signal }: Work,
): Promise<CheckConfig | string> {
  // What stands for the project of the working folder, above which no config is looked for.
  const project = pathInRepository(base.commit.root, realpathSync(projectRoot(here)));
  const root = project === null ? base.folder : join(base.folder, project);
  const file = named === null ? null : join(folder, basename(named));
  const waiting = { timeoutMs, signal };
  const compile = (source: string) => bundleConfig(source, join(workdir, 'config-before'), cwd, waiting);
  const onRun = (path: string) =>
    emit({ type: 'note', text: `running ${relative(root, path)} of the other commit` });
  try {
    const there = file && existsSync(file) ? file : null;
    return await readConfig(cwd, { file: there, root, compile, onRun, waiting });
  } catch (error) {
    if (error instanceof ToolError) return error.message.replaceAll(`${root}/`, '');
    throw error;
  }
}
