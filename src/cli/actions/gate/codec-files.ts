import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';
import type { CodecFiles, RewrittenCodec } from '../../../app/gate/codecs.ts';
import { codecOf, schemaJson, schemaModule } from '../../../app/schema-codec.ts';
import { ToolError } from '../../../model/errors.ts';
import { codecSchemaOf } from '../../../store/documents.ts';
import { codecName, emitFileOf, languageOf } from '../../options/emit.ts';
import { openOutputFile } from '../../session/output-file.ts';
import type { Session } from '../../session/session.ts';
import { exportedBy, openCodecFile } from '../codec-file.ts';
import type { GateInputs } from './gate-inputs.ts';

/**
 * The codecs that the config names, as `check` loads them, and writes them with --fix-codec.
 *
 * @throws ToolError of one that is not there, before anything is checked
 */
export function codecFiles(
  { request: { units }, config: { folder, file: config } }: GateInputs,
  isFixing: boolean,
  { services, workdir, progress, world }: Session,
): CodecFiles {
  const cwd = world.cwd();
  const shownOf = (file: string) => relative(cwd, resolve(folder, file)) || file;
  for (const { codec } of new Set(units.map(({ entry }) => entry))) {
    if (codec === undefined) continue;
    emitFileOf(codec, `${config ?? 'the config'}: codec`);
    if (isFixing) openOutputFile(shownOf(codec), cwd);
    else if (!existsSync(resolve(folder, codec))) throw new ToolError('codec-missing', { file: codec });
  }
  const rewrite = async (file: string, made: RewrittenCodec) => {
    const { schema: _, ...kept } = made.madeOf ?? { name: codecName(basename(file)), schema: null };
    const codec = codecOf(made.schema, kept);
    const files = [...new Set(made.sources.map((one) => one.file))];
    const exported = exportedBy(resolve(folder, file), made.sources, folder);
    const facts = { version: services.tools.version, files, name: kept.name, exported };
    const output = openCodecFile(shownOf(file), { option: '--fix-codec', inputs: [], cwd });
    await output.write(schemaModule(codec, facts, languageOf(file)));
    const why = whyText(made);
    progress.listen({ type: 'note', text: `wrote ${shownOf(file)}${why}` });
  };
  return {
    async load(file) {
      const path = resolve(folder, file);
      if (!existsSync(path)) return null;
      const [tried] = await services.loadTries([path], { workdir, cwd: folder });
      const json = schemaJson(await readFile(path, 'utf8'));
      const madeOf = json === null ? null : (codecSchemaOf(json) ?? 'unreadable');
      return { tried: { ...tried!, name: file, isCodec: true }, madeOf };
    },
    rewrite: isFixing ? rewrite : null,
  };
}

const MAX_CHANGES_TOLD = 3;

/** ": $.rows[*].note is new, and 2 more changes" */
function whyText({ changes }: RewrittenCodec): string {
  const told = changes.slice(0, MAX_CHANGES_TOLD).map(({ path, what }) => `${path} ${what}`);
  const more = changes.length - told.length;
  return told.length === 0 ? '' : `: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
