import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { standingOf } from '../../../app/gate/baseline.ts';
import { gateEntry, loosened } from '../../../core/recording/sites/gate-entry.ts';
import { sizeDifference } from '../../../core/recording/sites/made-size.ts';
import { HAND_WRITTEN_BYTES, textOf, type Waiting } from '../../../machine/given-file.ts';
import { ToolError } from '../../../model/errors.ts';
import { configHere, gateInputs, gateTools } from '../../../services/gate/gate-request.ts';
import { withLimits, withPayloads } from '../../../store/config/add-payloads.ts';
import type { GateOptions } from '../../options/check.ts';
import { write } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { sayReasons } from '../../session/reasons.ts';
import type { Session } from '../../session/session.ts';
import { type FixtureSite, writeFixtures } from './recorded-fixtures.ts';

const NEW_CONFIG = 'clone-prof.config.json';
const RECORDING = /\.cprof$/i;

/**
 * `clone-prof baseline app.cprof`: payloads like the messages, and their place in the config. `payloads`: those of the
 * baseline; null where the config is code, to which its author adds them.
 */
export async function fromRecordings(
  session: Session,
  options: GateOptions,
): Promise<{ payloads: string[] | null; hasFailed: boolean }> {
  const { world, progress } = session;
  const cwd = world.cwd();
  const recordings = options.payloads.filter((file) => RECORDING.test(file));
  const config = await configHere(session, options.config, options.timeoutMs);
  const { sites, failed } = await writeFixtures(recordings, config, options, session);
  await sayReasons(failed, world);
  const hasFailed = failed.length > 0;
  const entries = sites.map((site) => gateEntry(site, config.common));
  if (entries.length === 0) throw new ToolError('no-input');
  const file = config.file ?? NEW_CONFIG;
  if (!file.endsWith('.json')) {
    const lines = entries.map((entry) => `    ${JSON.stringify(entry)},`);
    const text = `Add to ${file}, then run clone-prof baseline:\n\n  payloads: [\n${lines.join('\n')}\n  ],\n`;
    await write(world.stdout, text);
    return { payloads: null, hasFailed };
  }
  const change = configWriter(file, cwd, { timeoutMs: options.timeoutMs, signal: session.signal });
  await change((document) => withPayloads(document, entries));
  progress.listen({ type: 'note', text: `${file} has ${entries.length} payloads of the recording` });
  const added = entries.map(({ input }) => relative(cwd, resolve(config.folder, input)));
  const payloads = [...options.payloads.filter((one) => !RECORDING.test(one)), ...added];
  await loosen(session, { ...options, payloads }, sites, change);
  return { payloads, hasFailed };
}

type Change = (edit: (document: Parameters<typeof withPayloads>[0]) => string) => Promise<void>;

/**
 * Messages may break limits that hold for all payloads: those are off for them, which is told. All are off for a value that is
 * larger or smaller than its messages were.
 */
async function loosen(
  session: Session,
  options: GateOptions,
  sites: readonly FixtureSite[],
  change: Change,
): Promise<void> {
  const { request } = await gateInputs(session, options);
  const { unmet, copied } = await standingOf(request, gateTools(session));
  if (session.signal.aborted) throw new ToolError('interrupted');
  for (const { input, posted } of sites) {
    const bytes = copied.get(input);
    const difference = bytes === undefined ? null : sizeDifference(bytes, posted);
    if (difference === null) continue;
    await change((document) => withLimits(document, input, { class: 'off', maxBytes: 'off' }));
    session.progress.listen({ type: 'warning', text: `${input}: ${difference} Its limits are off` });
  }
  for (const input of new Set(unmet.flatMap(({ file }) => file ?? []))) {
    const limits = loosened(unmet.filter(({ file }) => file === input));
    await change((document) => withLimits(document, input, limits));
    const names = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`);
    const text = `${input} breaks limits as it is: its own are ${names.join(', ')}`;
    session.progress.listen({ type: 'warning', text });
  }
}

/** Changes a config that is JSON; a new one where there is none. Code is changed by its author only. */
function configWriter(file: string, cwd: string, waiting: Waiting): Change {
  const path = resolve(cwd, file);
  const output = openOutputFile(file, cwd);
  const at = basename(path) === 'package.json' ? ['clone-prof'] : [];
  return async (edit) => {
    const text = existsSync(path)
      ? await textOf(path, HAND_WRITTEN_BYTES, waiting)
      : '{\n  "extends": "recommended"\n}\n';
    const next = edit({ text, at });
    if (next !== text) await output.write(next);
  };
}
