/** Marks that are told apart by their shape, without colour. */
import {
  symbol,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';
import { html, type Markup } from '../markup/markup.ts';
import { placed } from './figure.ts';

const SHAPES = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolStar, symbolWye];
const DIGITS = 1;

/** SVG path of a series' mark, by its number, around the origin. @param size area, px² */
export const markPath = (series: number, size = 60): string =>
  symbol(SHAPES[series % SHAPES.length], size).digits(DIGITS)() ?? '';

export const mark = (series: number, size?: number): Markup => html`<path d="${markPath(series, size)}"/>`;

/** A mark at a share of the width. */
export const markAt = (at: number, y: number, series: number, size = 60): Markup =>
  SHAPES[series % SHAPES.length] === symbolCircle
    ? html`<circle cx="${at}%" cy="${y}" r="${Math.sqrt(size / Math.PI).toFixed(1)}"/>`
    : placed(at, y, mark(series, size));

/** An interval with an end line on both sides. */
export const whisker = (from: number, to: number, y: number, half = 4): Markup =>
  html`<line x1="${from}%" x2="${to}%" y1="${y}" y2="${y}"/><line x1="${from}%" x2="${from}%" y1="${y - half}" y2="${y + half}"/><line x1="${to}%" x2="${to}%" y1="${y - half}" y2="${y + half}"/>`;
