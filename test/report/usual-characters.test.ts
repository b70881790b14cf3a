import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { textWidth, wrapped } from '../../src/report/terminal/layout.ts';
import { terminalStyle } from '../../src/report/terminal/style.ts';
import { table } from '../../src/report/terminal/table.ts';
import { seeded } from '../../src/stats/intervals/random.ts';
import { PLAIN } from './render.ts';

const SEED = Number(process.env.SEED ?? 20_240_601);

/** What is not measured cell by cell, in the order of code points. */
const ONE_CELL = [
  ...[
    [0x20, 0x7e],
    [0xa1, 0xac],
    [0xae, 0x2ff],
    [0x370, 0x382],
    [0x400, 0x482],
  ],
  ...[
    [0x2010, 0x2027],
    [0x2190, 0x2318],
    [0x2500, 0x25fc],
  ],
] as [number, number][];

const SIGNS = ONE_CELL.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i)),
);

test('a table keeps its columns with every character in a cell, alone or next to a second character', () => {
  const cells = SIGNS.map((sign, i) => `<${sign}${SIGNS[(i * 7) % SIGNS.length]}${sign}>`);
  const ends = cells.map(() => '|');
  const [, ...rows] = table(
    [
      { head: 'sign', cells },
      { head: 'end', cells: ends },
    ],
    80,
    terminalStyle(PLAIN),
  );
  assert.equal(rows.length, SIGNS.length);
  assert.deepEqual([...new Set(rows.map((row) => stringWidth(row)))], [8]);
});

/** As the packages do by themselves. */
function brokenByPackages(text: string, width: number): string[] {
  for (let room = width; ; room--) {
    const lines = wrapAnsi(text, room, { hard: true, trim: true }).split('\n');
    if (room === 1 || lines.every((line) => stringWidth(line) <= width)) return lines;
  }
}

test('texts of usual characters have the width and the lines that the packages for text give them', () => {
  const random = seeded(SEED);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const colours = ['1', '31', '39', '22', '0', '', '38;5;9'].map((code) => `\u001b[${code}m`);
  const parts = [
    () => ' ',
    () => oneOf(SIGNS),
    () => oneOf([...'abcdefgh']),
    () => oneOf(colours),
    () => '→',
  ];
  for (let round = 0; round < 400; round++) {
    const all = Array.from({ length: Math.floor(random() * 60) }, () => oneOf(parts)());
    const text = all.join('') + (random() < 0.05 ? '日本' : '');
    const width = 1 + Math.floor(random() * 50);
    assert.deepEqual(
      wrapped(text, width),
      brokenByPackages(text, width),
      JSON.stringify({ seed: SEED, text, width }),
    );
    assert.equal(textWidth(text), stringWidth(text), JSON.stringify({ seed: SEED, text }));
  }
});
