import { resolve } from 'node:path';
import { type AdvisedCodec, advisedCodec, codecSource } from '../../app/codec.ts';
import { codecTestSource } from '../../app/codec-test.ts';
import type { PayloadReport, Report } from '../../model/documents/report.ts';
import { EXIT } from '../../model/exit-codes.ts';
import { emitCommand, shellCommand } from '../../reporters/text/shell.ts';
import {
  exportedBy,
  fileFor,
  helpersFileOf,
  ID,
  languageOf,
  refuseOneFileFor,
  testFileOf,
} from '../../services/codec-names.ts';
import type { CommandFiles } from '../session/command-files.ts';
import { sayReasons } from '../session/exit.ts';
import type { World } from '../session/world.ts';
import { type CodecFiles, codecFiles, helpersBeside } from './codec-file.ts';

/**
 * Opens the files for the codecs that a report advises, before anything is measured.
 *
 * @param payloads payloads that are known so far
 * @param files files of the command; `areOne`: the codec is for all payloads, with --one
 * @throws ToolError 'usage', 'output-unwritable'
 */
export function openEmitted(
  file: string,
  payloads: readonly { id: string }[],
  { files, areOne = false }: { files: CommandFiles; areOne?: boolean },
  world: World,
) {
  refuseOneFileFor(payloads, file);
  const codecs = codecFiles(world, '--emit', files);
  if (!file.includes(ID)) for (const one of [file, testFileOf(file)]) codecs.open(one);
  return {
    /** @returns the exit code: 3 if the advice does not contain a codec */
    async write(report: Report): Promise<number> {
      const told: string[] = [];
      refuseOneFileFor(report.payloads, file);
      const all = report.payloads.map((payload) => ({
        payload,
        to: fileFor(file, payload.id),
        advised: payload.runs.flatMap((run) => advisedCodec(report, payload, run) ?? []),
      }));
      for (const { payload, to, advised } of all) {
        const [first] = advised;
        const beside = all.filter((one) => helpersFileOf(one.to) === helpersFileOf(to));
        // Codecs of several payloads in one folder share their helpers.
        const isShared = beside.filter((one) => one.advised[0]?.codec.own !== undefined).length > 1;
        if (first === undefined) told.push(`--emit: ${payload.id}: ${whyNoCodec(payload)}`);
        else await writeCodec(first, payload, to, { areOne, isShared, codecs, cwd: world.cwd() });
        for (const note of differences(payload, advised)) await world.stderr.line(`note: ${note}`);
      }
      await sayReasons(told, world);
      return told.length > 0 ? EXIT.failure : EXIT.ok;
    },
  };
}

const WHY_NONE: Readonly<Record<string, string>> = {
  nothing: 'no rewrite is faster, so there is no codec to write',
  'not-the-clone': 'cloning takes little of the time, so there is no codec to write',
  unsure: 'not decided, so there is no codec to write. Measure longer: --budget',
  'not-tried': 'a rewrite that might be faster could not be tried, so there is no codec to write',
};

function whyNoCodec({ runs, error }: PayloadReport): string {
  const action = runs.map(({ advice }) => advice?.action).find((one) => one !== undefined);
  if (runs.some(({ advice, schema }) => advice?.remedy === 'compiled' && schema === undefined))
    return 'its keys look like data, and the report does not have them. Make it with --keys';
  if (error !== null || action === undefined) return 'it was not measured, so there is no codec to write';
  return WHY_NONE[action] ?? 'the advice has no code of its own';
}

/** If the advice differs between runtimes, the codec is taken from the first of them. */
function differences({ id, runs }: PayloadReport, codecs: readonly AdvisedCodec[]): string[] {
  const [first] = codecs;
  if (first === undefined) return [];
  const runtimeName = ({ runtime }: (typeof runs)[number]) => `${runtime.name}@${runtime.version}`;
  const isSame = (one: AdvisedCodec | undefined) => one?.codec.source === first.codec.source;
  const others = runs.filter((run) => !isSame(codecs.find((one) => one.run === run)));
  if (others.length === 0) return [];
  const names = [...new Set(others.map(runtimeName))].join(', ');
  return [
    `${id}: the codec is that of ${runtimeName(first.run)}; the advice differs on ${names} (-r chooses)`,
  ];
}

interface Writing extends Record<'areOne' | 'isShared', boolean> {
  codecs: CodecFiles;
  cwd: string;
}

async function writeCodec(
  advised: AdvisedCodec,
  payload: PayloadReport,
  file: string,
  writing: Writing,
): Promise<void> {
  const { areOne, codecs, cwd } = writing;
  const { source, traffic } = payload;
  const isOwn = areOne || traffic !== undefined;
  const exported = isOwn ? null : exportedBy(resolve(cwd, file), [source], cwd);
  const again = areOne ? null : shellCommand(emitCommand(payload, advised.run, file));
  const helpers = await helpersIn(file, advised, writing);
  await codecs.write(file, codecSource(advised, languageOf(file), { exported, again, helpers }));
  // A recording does not contain a payload that a test could read.
  if (traffic) return;
  await codecs.writeTest(file, source.file, (where, sample) =>
    codecTestSource(advised, { ...where, source: { ...source, file: sample } }),
  );
}

/** Module of helpers that the codec imports, written if several codecs share it; null if the codec includes them. */
async function helpersIn(file: string, { codec, facts }: AdvisedCodec, { isShared, codecs, cwd }: Writing) {
  if (codec.own === undefined) return null;
  const { text, isThere, from } = helpersBeside(file, facts.version, cwd);
  if (isThere) return from;
  if (!isShared) return null;
  await codecs.write(helpersFileOf(file), text);
  return from;
}
