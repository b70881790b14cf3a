/** The codec of a sample, as a module of JavaScript and its declarations. */

import { basename, relative, resolve } from 'node:path';
import { readSamples } from '../../app/world/analysis.ts';
import { withWork } from '../../app/world/services.ts';
import { exportedBy } from '../../codec/files/codec-names.ts';
import { schemaCodec } from '../../codec/make/codec.ts';
import { codecSource, schemaDeclarations, withoutSchema } from '../../codec/module/module.ts';
import { toolVersion } from '../../machine/folders.ts';
import type { Emit } from '../../model/run/events.ts';
import { DEFAULTS } from '../../model/run/runtime.ts';
import type { CodecPluginOptions } from './options.ts';

/** "samples/orders.json" -> "orders". Types are named after it. */
const sampleName = (file: string): string =>
  basename(file)
    .replace(/\..*$/s, '')
    .replace(/[*?[\]{}]/g, '') || 'payload';

/**
 * @param file a path or a glob
 * @throws ToolError for a sample that cannot be read; Error if it cannot be compiled to a codec
 */
export async function sampleCodec(
  file: string,
  { runtime = 'node', view = false, types, type = {} }: CodecPluginOptions,
  cwd: string,
  onNote: (text: string) => void,
) {
  const emit: Emit = (event) => event.type === 'note' && onNote(event.text);
  const query = { samples: [file], as: null, exports: null, runtime, timeoutMs: DEFAULTS.timeoutMs };
  const { recipes, schema, none } = await withWork({ cwd, emit }, (work) => readSamples(work, query));
  if (schema === null) throw new Error(`${relative(cwd, file)}: no codec: ${none.why}. ${none.instead}`);
  const name = sampleName(file);
  const sources = recipes.map(({ source }) => source);
  const files = [...new Set(sources.map((source) => source.file))];
  const shown = files.map((one) => relative(cwd, one).replaceAll('\\', '/'));
  const module = schemaCodec(schema, { version: toolVersion(), files: shown, name, view });
  const [, named = null] = Object.entries(type).find(([sample]) => resolve(cwd, sample) === file) ?? [];
  const exported = types === undefined ? null : exportedBy(resolve(cwd, types), sources, cwd, named);
  return {
    // The schema is left out, because a bundle is never compared with it.
    code: withoutSchema(codecSource(module, 'javascript')),
    declarations: schemaDeclarations(module.codec, { exported, id: name }),
    /** Source files of the codec. */
    files,
  };
}
