/** The config of the gate: found, checked, and merged with its preset. */
import { dirname, relative, resolve } from 'node:path';
import { ToolError } from '../../model/errors.ts';
import type { CheckConfig, CheckEntry } from '../../model/gate/limits.ts';
import { safeParse, type TypeOf } from '../../model/schema.ts';
import { type ConfigPlace, findConfig } from './find-config.ts';
import { issueTexts } from './issues.ts';
import { mergedLimits, PRESETS } from './limits.ts';
import { configSchema } from './schema.ts';

/**
 * The config for `cwd`; without a file, one without payloads and with the recommended limits.
 *
 * @throws ToolError 'file-missing', 'config-bad': names the key, what was expected there, and an example
 */
export async function readConfig(cwd: string, options: ConfigPlace): Promise<CheckConfig> {
  const { file } = options;
  const found = await findConfig(cwd, { ...options, file: file === null ? null : resolve(cwd, file) });
  if (found === null) return configOf({}, null, cwd);
  const shown = relative(cwd, found.path);
  return configOf(parsed(found.content, shown), shown, dirname(found.path));
}

/** The entry of a payload that the config does not name: common limits, runtimes and channels. */
export function entryFor(input: string, config: CheckConfig): CheckEntry {
  return { ...config.common, input };
}

type Parsed = TypeOf<typeof configSchema>;

function parsed(content: unknown, file: string): Parsed {
  const result = safeParse(configSchema, content, { reportInput: true });
  if (result.success) return withOneEntryPerCodec(result.data, file);
  throw new ToolError('config-bad', { file, detail: issueTexts(result.error.issues).join('; ') });
}

/** The schema of a codec is that of all payloads of one entry. */
function withOneEntryPerCodec(config: Parsed, file: string): Parsed {
  const codecs = (config.payloads ?? []).flatMap((one) => (typeof one === 'string' ? [] : (one.codec ?? [])));
  const twice = codecs.find((codec, at) => codecs.indexOf(codec) !== at);
  if (twice === undefined) return config;
  const detail = `payloads: two name the codec ${JSON.stringify(twice)}. Give one entry a glob for both`;
  throw new ToolError('config-bad', { file, detail });
}

function configOf(text: Parsed, file: string | null, folder: string): CheckConfig {
  const preset = PRESETS[text.extends ?? 'recommended'];
  const common: CheckEntry = {
    id: null,
    input: '',
    export: null,
    as: null,
    // One runtime that is on every machine: the result must not depend on PATH.
    runtimes: text.runtimes ?? ['node'],
    channels: text.channels ?? ['worker'],
    sender: text.sender,
    via: null,
    transfer: [],
    remedies: text.remedies ?? [],
    limits: mergedLimits(preset, text.limits),
  };
  const entries = (text.payloads ?? []).map((payload): CheckEntry => {
    const own = typeof payload === 'string' ? { input: payload } : payload;
    return {
      id: own.id ?? null,
      input: own.input,
      export: own.export ?? null,
      as: own.as ?? null,
      runtimes: own.runtimes ?? common.runtimes,
      channels: own.channels ?? common.channels,
      sender: own.sender ?? common.sender,
      via: own.via ?? null,
      transfer: own.transfer ?? [],
      remedies: own.remedies ?? common.remedies,
      codec: own.codec,
      limits: mergedLimits(preset, text.limits, own.limits),
    };
  });
  return {
    file,
    folder,
    baseline: text.baseline ?? 'clone-prof.baseline.json',
    fixtures: text.fixtures ?? 'clone-prof.fixtures',
    needsBaseline: text.baseline !== undefined,
    new: text.new ?? 'error',
    undecided: text.undecided ?? 'error',
    common,
    entries,
  };
}
