/**
 * Is advice true outside the tool? Advised codecs are written to files and imported by a plain program (program.mjs),
 * which sends the payload as it is and by the codec, in turns of some messages, through a worker that answers the same way.
 * What arrives must be equal on both sides, and the gain, the share of the time that is saved, within the interval of the
 * advice or within 10 % of its ends: one that gains more than was advised misses too. `CODECS=30` codecs of fixtures and real data, on Node, Bun and Deno;
 * `CODECS_ONLY=geojson`: only beside the reference, payloads with this in their names.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { asJavaScript } from '../../src/codec/code/javascript.ts';
import { compiledCodec } from '../../src/codec/compiled/compiled.ts';
import { inferSchema } from '../../src/codec/schema/payload-schema.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { Advice } from '../../src/model/documents/trial.ts';
import { provision } from '../../src/runtimes/provision/provision.ts';
import { probeFor } from '../../test/support/probe.ts';
import { type Group, writeRealData } from '../advice/real-data.ts';
import { medianOf } from '../interleave.ts';
import { type Row, ratioRow } from '../table.ts';
import { emittedModule } from './emitted.ts';
import { referenceCodec } from './reference.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, '.cache', 'bench', 'codecs');
const { CODECS = '30', CODECS_ONLY = '' } = process.env;
const COUNT = Number(CODECS);
/** Of 30 codecs, 28 must hold what was advised. */
const MAY_MISS = 2 / 30;
const PROCESSES = 5;
const TIMED_MS = 800;
const WITHIN = 1.1;

const run = promisify(execFile);

interface Payload {
  file: string;
  /** Null: the file is the payload. */
  export: string | null;
}

const FIXTURES: [file: string, name: string | null][] = [
  ['orders.json', null],
  ['rows.json', null],
  ['store.json', null],
  ['districts.json', null],
  ['telemetry.json', null],
  ['telemetry.mjs', 'samples'],
  ['telemetry.mjs', 'ticks'],
  ['preallocated.mjs', 'preallocated'],
  ['preallocated.mjs', 'labels'],
  ['session.mjs', 'session'],
  ['envelope.mjs', 'addressed'],
  ['cliff.mjs', 'wrapped'],
  ['tile-view.mjs', 'view'],
  ['graph.mjs', 'graph'],
  ['job.mjs', 'job'],
];

interface Runtime {
  name: string;
  binary: string;
  /** Before the script. */
  args: string[];
}

async function runtimes(): Promise<Runtime[]> {
  return [
    { name: 'node', binary: process.execPath, args: [] },
    { name: 'bun', binary: (await provision('bun@1.4.5')).binary, args: [] },
    { name: 'deno', binary: (await provision('deno@2.9.6')).binary, args: ['run', '-A', '--no-config'] },
  ];
}

export const codecs = async (): Promise<Row[]> => [
  ...(await referenceRows('parsers')),
  ...(await referenceRows('held-out')),
  ...(CODECS_ONLY === '' ? await advisedRows() : []),
];

async function advisedRows(): Promise<Row[]> {
  mkdirSync(folder, { recursive: true });
  const fixtures = FIXTURES.map(
    ([file, name]): Payload => ({ file: join(root, 'fixtures', file), export: name }),
  );
  const real = Object.values(await writeRealData(folder)).map((file): Payload => ({ file, export: null }));
  const rows: Row[] = [];
  for (const payload of [...real, ...fixtures])
    for (const runtime of await runtimes())
      if (rows.length < COUNT) rows.push(...(await codecRow(payload, runtime)));
  const missed = rows.filter(({ held }) => held === false).length;
  const budget = Math.floor(MAY_MISS * rows.length);
  return [
    ...rows,
    {
      what: 'codecs that do not hold what was advised',
      value: missed,
      unit: `of ${rows.length}`,
      budget,
      held: missed <= budget,
    },
  ];
}

/** No row where no rewrite with a gain is advised. */
async function codecRow(payload: Payload, runtime: Runtime): Promise<Row[]> {
  const advice = await adviceOn(payload, runtime);
  const text = advice && (await emittedModule(advice));
  if (!text || !advice.gain) return [];
  const name = `${payload.file.split('/').at(-1)}${payload.export ? `#${payload.export}` : ''} on ${runtime.name}`;
  const codec = join(folder, `${name.replace(/[^a-z0-9]+/gi, '-')}.codec.mjs`);
  writeFileSync(codec, text);
  const { ratio, ci } = advice.gain;
  const what = `${name}: ${advice.remedy}, advised ${ratio.toFixed(3)} [${ci.map((end) => end.toFixed(3)).join(', ')}]`;
  const budget = 1 - (1 - ci[1]) / WITHIN;
  try {
    const ratios: number[] = [];
    for (let process = 0; process < PROCESSES; process++)
      ratios.push(...(await byHand([codec], payload, runtime)));
    const value = medianOf(ratios);
    const held = 1 - value >= (1 - ci[1]) / WITHIN && 1 - value <= (1 - ci[0]) * WITHIN;
    return [{ what, value, unit: 'x', budget, held, raw: { ratios, advice } }];
  } catch (error) {
    const note = String((error as { stderr?: string }).stderr ?? error).slice(0, 400);
    return [{ what, value: Number.NaN, unit: 'x', budget, held: false, note, raw: { advice } }];
  }
}

async function adviceOn({ file, export: name }: Payload, { binary }: Runtime): Promise<Advice | null> {
  const only = name === null ? [] : ['-e', name];
  const args = [join(root, 'bin', 'clone-prof.js'), 'analyze', file, ...only, '-r', binary, '-f', 'json'];
  const { stdout } = await run(process.execPath, args, { cwd: root, maxBuffer: 2 ** 28 });
  return (JSON.parse(stdout) as Report).payloads[0]?.runs[0]?.advice ?? null;
}

/** New times over the old time, in a process of its own. */
async function byHand(
  codecFiles: readonly string[],
  { file, export: name }: Payload,
  runtime: Runtime,
): Promise<number[]> {
  const program = join(root, 'bench', 'codecs', 'program.mjs');
  const args = [...runtime.args, program, codecFiles.join(','), file, name ?? '-', String(TIMED_MS)];
  const { stdout } = await run(runtime.binary, args, { cwd: folder, timeout: 60_000 });
  return (JSON.parse(stdout) as { ratios: number[] }).ratios;
}

/** Compiled codecs against straight-line code for the payload (reference.ts), in one program: on data that advice was not improved with. */
async function referenceRows(group: Group): Promise<Row[]> {
  const { types } = await probeFor({ assume: 'v8' });
  const rows: Row[] = [];
  const files = Object.entries(await writeRealData(folder, group))
    .filter(([name]) => name.includes(CODECS_ONLY))
    .slice(0, COUNT);
  for (const [name, file] of files) {
    const parsed = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
    const schema = inferSchema([parsed()], types, true);
    if (schema === null) continue;
    const [codec, reference] = ['codec', 'reference'].map((kind) => join(folder, `${name}.${kind}.mjs`));
    writeFileSync(codec!, asJavaScript(compiledCodec({ schema, name, form: 'joined' }).source));
    writeFileSync(reference!, referenceCodec(parsed()));
    for (const runtime of (await runtimes()).filter((one) => REFERENCE_ON.includes(one.name))) {
      const ratios: number[] = [];
      while (ratios.length < PROCESSES || (isScattered(ratios) && ratios.length < 3 * PROCESSES)) {
        // Who is second posts after less garbage: the original's is collected while the first one posts.
        const isFirst = ratios.length % 2 === 0;
        const order = isFirst ? [codec!, reference!] : [reference!, codec!];
        const [first, second] = await byHand(order, { file, export: null }, runtime);
        ratios.push(isFirst ? first! / second! : second! / first!);
      }
      rows.push({
        ...ratioRow(`${name} on ${runtime.name}: codec against the reference`, medianOf(ratios), WORST),
        raw: ratios,
      });
    }
  }
  if (rows.length === 0) return [];
  const all = medianOf(rows.map(({ value }) => value));
  return [...rows, ratioRow(`${group}, median of ${rows.length}: codec against the reference`, all, MEDIAN)];
}

/**
 * V8 decides in each process anew whether lists of two numbers are made in young or in old memory, which takes up to
 * three times as long: a few processes do not show how often.
 */
const isScattered = (ratios: readonly number[]): boolean => Math.max(...ratios) > 1.5 * Math.min(...ratios);

const REFERENCE_ON = ['node', 'bun'];
const [MEDIAN, WORST] = [1.1, 1.35];
