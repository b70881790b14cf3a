import { existsSync, readFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { unmetLimits } from '../../../app/gate/unmet.ts';
import { gateEntry, loosened } from '../../../core/recording/sites/gate-entry.ts';
import { ToolError } from '../../../model/errors.ts';
import type { CheckConfig } from '../../../model/gate/check.ts';
import type { PayloadConfig } from '../../../model/gate/config.ts';
import { withLimits, withPayloads } from '../../../store/config/add-payloads.ts';
import type { GateOptions } from '../../options/check.ts';
import { EXIT } from '../../session/exit-code.ts';
import { write } from '../../session/output.ts';
import { openOutputFile } from '../../session/output-file.ts';
import { sayReasons } from '../../session/reasons.ts';
import type { Session } from '../../session/session.ts';
import { configHere, type GateInputs, gateInputs } from './gate-inputs.ts';
import { writeFixtures } from './recorded-fixtures.ts';

/** Writes the baseline of these inputs. */
type Move = (session: Session, options: GateOptions, inputs: GateInputs) => Promise<number>;

const NEW_CONFIG = 'clone-prof.config.json';
const RECORDING = /\.cprof$/i;

/** `clone-prof baseline app.cprof`: payloads like the messages, their place in the config, and the baseline. */
export async function recordedBaseline(session: Session, options: GateOptions, move: Move): Promise<number> {
  const { world, progress } = session;
  const recordings = options.payloads.filter((file) => RECORDING.test(file));
  const others = options.payloads.filter((file) => !RECORDING.test(file));
  const config = await configHere(session, options);
  const { sites, failed } = await writeFixtures(recordings, config, options, session);
  await sayReasons(failed, world);
  const entries = sites.map((site) => gateEntry(site, config.common));
  if (entries.length === 0) throw new ToolError('no-input');
  const document = documentOf(config, world.cwd());
  if (document === null) {
    await write(world.stdout, toAdd(entries, config.file ?? NEW_CONFIG));
    return failed.length > 0 ? EXIT.failure : EXIT.ok;
  }
  await document.change((text) => withPayloads({ text, at: document.at }, entries));
  progress.listen({ type: 'note', text: `${document.file} has ${entries.length} payloads of the recording` });
  const payloads = [
    ...others,
    ...entries.map(({ input }) => relative(world.cwd(), resolve(config.folder, input))),
  ];
  const asked = { ...options, payloads };
  await loosen(session, await gateInputs(session, asked, null), document);
  const inputs = await gateInputs(session, asked, null);
  const exit = await move(session, asked, inputs);
  return exit === EXIT.ok && failed.length > 0 ? EXIT.failure : exit;
}

/** Messages may break limits that hold for all payloads: those are off for them, which is told. */
async function loosen(
  { progress, signal }: Session,
  inputs: GateInputs,
  document: ConfigDocument,
): Promise<void> {
  const unmet = await unmetLimits(inputs.request, inputs.tools);
  if (signal.aborted) throw new ToolError('interrupted');
  for (const input of new Set(unmet.flatMap(({ file }) => file ?? []))) {
    const limits = loosened(unmet.filter(({ file }) => file === input));
    await document.change((text) => withLimits({ text, at: document.at }, input, limits));
    const names = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`);
    progress.listen({
      type: 'warning',
      text: `${input} breaks limits as it is: its own are ${names.join(', ')}`,
    });
  }
}

interface ConfigDocument {
  /** As the user knows it. */
  file: string;
  at: readonly string[];
  change(edit: (text: string) => Promise<string>): Promise<void>;
}

/** A config that is JSON; a new one where there is none. Null for one that is code, which only its author changes. */
function documentOf(config: CheckConfig, cwd: string): ConfigDocument | null {
  const file = config.file ?? NEW_CONFIG;
  if (!file.endsWith('.json')) return null;
  const path = resolve(cwd, file);
  const output = openOutputFile(file, cwd);
  return {
    file,
    at: basename(path) === 'package.json' ? ['clone-prof'] : [],
    async change(edit) {
      const text = !existsSync(path) ? '{\n  "extends": "recommended"\n}\n' : readFileSync(path, 'utf8');
      const next = await edit(text);
      if (next !== text) await output.write(next);
    },
  };
}

function toAdd(entries: readonly PayloadConfig[], file: string): string {
  const lines = entries.map((entry) => `    ${JSON.stringify(entry)},`);
  return `Add to ${file}, then run clone-prof baseline:\n\n  payloads: [\n${lines.join('\n')}\n  ],\n`;
}
