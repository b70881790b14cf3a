/** `check --history file.ndjson`: the facts of each commit, for `clone-prof report`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { historyOf } from '../../../core/gate/history.ts';
import { mib } from '../../../machine/given-file.ts';
import { HISTORY_SCHEMA } from '../../../model/document-ids.ts';
import type { CheckReport } from '../../../model/documents/check.ts';
import type { HistoryCommit } from '../../../model/documents/history.ts';
import { ToolError } from '../../../model/errors.ts';
import { headCommit } from '../../../services/gate/head-commit.ts';
import { readBounded } from '../../../store/document.ts';
import { historyText, MAX_HISTORY_BYTES, parseHistory } from '../../../store/history-file.ts';
import { usage } from '../../options/values.ts';
import { openOutputFile } from '../../session/output-file.ts';
import type { World } from '../../session/world.ts';

/**
 * Before anything is checked: what is there is read, and the commit is found.
 *
 * @returns what adds the facts of a report
 * @throws ToolError 'document-bad', 'output-unwritable', 'git-missing', 'repository-missing', 'base-unknown'
 */
export async function openHistory(
  file: string | null,
  world: World,
  timeoutMs: number,
): Promise<(report: CheckReport) => Promise<void>> {
  if (file === null) return async () => undefined;
  const cwd = world.cwd();
  const at = await headCommit({ cwd, env: world.env });
  const output = openOutputFile(file, cwd);
  const known = await commitsIn(resolve(cwd, file), file, timeoutMs);
  return async (report) => {
    const added = historyOf(report, at);
    if (added === null)
      throw usage('--history: the shards hold no facts. They do when each of them was checked with --base');
    await output.write(historyText(known, added));
    await world.stderr.line(`wrote ${file}: ${at.commit.slice(0, 12)}`);
  };
}

async function commitsIn(path: string, file: string, timeoutMs: number): Promise<HistoryCommit[]> {
  if (!existsSync(path)) return [];
  const detail = `larger than ${mib(MAX_HISTORY_BYTES)}. Begin another one`;
  const tooLarge = () => new ToolError('document-bad', { file, value: HISTORY_SCHEMA, detail });
  return parseHistory(await readBounded(path, file, MAX_HISTORY_BYTES, tooLarge, { timeoutMs }), file);
}
