/** What is told of values of the platform on a browser, against what arrives. */
import { fileURLToPath } from 'node:url';
import { lossErrors, toldLosses } from '../../../src/engines/classify/losses.ts';
import { ENGINES } from '../../../src/engines/index.ts';
import type { Facts, Shape } from '../../../src/model/documents/shape.ts';
import type { Channel } from '../../../src/model/names.ts';
import type { FoundRuntime, Guest } from '../../../src/model/run/runtime.ts';
import type { PayloadFolder } from '../../support/payload-folder.ts';

const VALUES = fileURLToPath(new URL('./platform-values.js', import.meta.url));
const TERMS = { deadlineMs: 60_000 };

/** A module for a page that does something with values of these names. */
function recipeOf(folder: PayloadFolder, file: string, call: 'made' | 'accepted', names?: readonly string[]) {
  const list = names === undefined ? '' : JSON.stringify(names);
  const text = `import { ${call} } from ${JSON.stringify(VALUES)};\nexport const value = () => ${call}(${list});\n`;
  return folder.module(`${file}.mjs`, text);
}

/** The name of the value that a path leads to, below its part. */
const nameIn = (path: string): string => /^\$\.part\d+\.([^.[{]+)/.exec(path)?.[1] ?? path;
const isValue = ({ depth }: Facts): boolean => depth === 2;

export interface PlatformAnswer {
  /** How many values the browser could make. */
  made: number;
  refused: number;
  /** One for each channel. */
  errors: Record<string, string[]>;
}

/** A port takes them, and nobody can read them. Chromium moves a data channel that is posted at once, listed or not. */
const TAKEN = /^RTCCertificate|^RTCDataChannel|^exceptionHalf$/;

const words = ({ untold, false: wrong }: ReturnType<typeof lossErrors>): string[] => [
  ...untold.map(({ path, what }) => `not told: ${path} ${what}`),
  ...wrong.map(({ rule, example }) => `told, and not so: ${rule} at ${example}`),
];

/** What arrives over a channel of those that are told to arrive, in one message; each other is posted alone. */
async function errorsOver(
  guest: Guest,
  browser: FoundRuntime,
  shape: Shape,
  channel: Channel,
  folder: PayloadFolder,
): Promise<{ refused: string[]; errors: string[] }> {
  const told = toldLosses(shape, ENGINES[browser.engine], { runtime: browser, channel });
  const isRefused = new Set(
    told.filter(({ kinds }) => kinds.includes('delivery')).map(({ example }) => nameIn(example)),
  );
  const names = [...new Set(shape.patterns.filter(isValue).map(({ example }) => nameIn(example)))];
  const arriving = names.filter((name) => !isRefused.has(name));
  const recipe = recipeOf(folder, `arriving-${channel}`, 'made', arriving);
  const { refused, losses } = await guest.ask({ type: 'losses', recipe, channel }, TERMS);
  if (losses === null) return { refused: [...isRefused], errors: [`all are refused: ${refused}`] };
  const of = told.filter(({ example }) => !isRefused.has(nameIn(example)));
  return { refused: [...isRefused], errors: words(lossErrors(of, losses)) };
}

export async function platformAnswer(
  guest: Guest,
  browser: FoundRuntime,
  channels: readonly Channel[],
  folder: PayloadFolder,
): Promise<PlatformAnswer> {
  const everything = recipeOf(folder, 'all', 'made');
  const { shape } = await guest.ask(
    { type: 'describe', recipe: everything, channel: 'structured-clone', confirm: false },
    TERMS,
  );
  const errors: Record<string, string[]> = {};
  let all: string[] = [];
  for (const channel of channels) {
    const over = await errorsOver(guest, browser, shape, channel, folder);
    errors[channel] = over.errors;
    if (channel === 'message-port') all = over.refused;
  }
  const recipe = recipeOf(folder, 'refused', 'accepted', all);
  const { json } = await guest.ask({ type: 'sample', recipe, mostBytes: 1e6 }, TERMS);
  const taken = (JSON.parse(json ?? '[]') as string[]).filter((name) => !TAKEN.test(name));
  errors.refused = taken.map((name) => `told as refused, and taken: ${name}`);
  const made = shape.patterns.filter(isValue).reduce((sum, { count }) => sum + count, 0);
  return { made, refused: all.length, errors };
}
