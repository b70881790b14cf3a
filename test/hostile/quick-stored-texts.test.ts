/** Stored documents of strangers, every text of them as long as its maker likes: what is drawn grows with what is kept. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReportComparison } from '../../src/model/documents/comparison.ts';
import type { Report } from '../../src/model/documents/report.ts';
import type { SweepReport } from '../../src/model/documents/sweep.ts';
import { REPORT_FORMATS, SWEEP_FORMATS } from '../../src/model/report/formats.ts';
import { draw } from '../../src/report/registry.ts';
import { readResult } from '../../src/report/stored/stored-reports.ts';
import { compared } from '../report/compare/reports.ts';
import { strategies } from '../report/frozen/sweeps.ts';
import { FROZEN, PLAIN } from '../report/render.ts';

type Stored = Report | SweepReport | ReportComparison;
type Place = { parent: Record<string, unknown>; key: string };

async function* once(text: string) {
  yield text;
}
const read = (document: Stored) => readResult(once(JSON.stringify(document)), '-');

const MAX_PLACES = 100;

function textPlaces(document: Stored): Place[] {
  const places: Place[] = [];
  const left: object[] = [document];
  for (let parent = left.pop(); parent !== undefined; parent = left.pop()) {
    for (const [key, value] of Object.entries(parent)) {
      if (typeof value === 'string') places.push({ parent: parent as Record<string, unknown>, key });
      else if (typeof value === 'object' && value !== null) left.push(value);
    }
  }
  return places;
}

/** A text for which any other will do. */
async function isFree(document: Stored, { parent, key }: Place): Promise<boolean> {
  const before = parent[key];
  parent[key] = 'any other';
  const free = await read(document).then(
    () => true,
    () => false,
  );
  parent[key] = before;
  return free;
}

/** A copy, and the places of its texts for which any other will do. */
async function freeTexts(document: Stored): Promise<{ copy: Stored; free: Place[] }> {
  const copy = structuredClone(document);
  const free: Place[] = [];
  for (const place of textPlaces(copy).slice(0, MAX_PLACES)) if (await isFree(copy, place)) free.push(place);
  return { copy, free };
}

function drawn(document: Stored): Record<string, number> {
  const formats = document.schema === 'clone-prof/report@1' ? REPORT_FORMATS : SWEEP_FORMATS;
  return Object.fromEntries(formats.map((format) => [format, draw(document, format, PLAIN).length]));
}

const DOCUMENTS: Record<string, Stored> = {
  'report with failures': FROZEN.hostile!,
  comparison: compared(FROZEN.hostile!, FROZEN.apply!),
  sweep: strategies,
};

/** The most that a format makes of a text: escaped, and once more in a title or a legend. */
const MAX_COPIES = 6;

describe('texts of a stored document', () => {
  for (const [name, document] of Object.entries(DOCUMENTS))
    test(name, async () => {
      const { copy, free } = await freeTexts(document);
      const keptWith = async (length: number) => {
        free.forEach(({ parent, key }, at) => {
          parent[key] = `${at} ${'long '.repeat(length / 5)}`;
        });
        return read(copy);
      };
      const [short, long, endless] = [await keptWith(10), await keptWith(1000), await keptWith(20_000)];
      const sizeOf = (kept: Stored) => JSON.stringify(kept).length;
      const more = sizeOf(long) - sizeOf(short);
      assert.ok(more > 900 * free.length, 'long texts are kept');
      const cut = sizeOf(endless) - sizeOf(short);
      assert.ok(cut < 200 * free.length, `endless texts are cut: ${cut} characters for ${free.length} texts`);
      const [drawnShort, drawnLong] = [drawn(short), drawn(long)];
      for (const [format, size] of Object.entries(drawnLong))
        assert.ok(size - drawnShort[format]! <= MAX_COPIES * more, `${format}: ${size} characters`);
    });
});
