import type { PayloadReport, Report } from '../model/documents/report.ts';
import { bytes, count } from '../reporters/text/numbers.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { element } from './elements.ts';
import { MAX_NODES, type OutlineFinding, type OutlineNode, outlineOf } from './outline.ts';

/** Where in each payload the rules found something, in place of what was there. */
export function drawOutlines(into: HTMLElement, report: Report): void {
  into.replaceChildren(...report.payloads.flatMap((payload) => outlineElement(payload) ?? []));
}

function outlineElement(payload: PayloadReport): HTMLElement | null {
  const root = outlineOf(payload, wordsOf());
  if (root === null) return null;
  const size = countNodes(root);
  const note = size >= MAX_NODES ? element('p', { class: 'muted' }, `The first ${MAX_NODES} places.`) : null;
  return element(
    'section',
    { class: 'outline' },
    element('h3', {}, `Outline of ${payload.id}`),
    element('p', { class: 'muted' }, 'Bytes are those of strings and buffers, here and below.'),
    element('ul', { class: 'tree' }, element('li', {}, nodeElement(root, 0))),
    note,
  );
}

const countNodes = ({ children }: OutlineNode): number =>
  children.reduce((sum, child) => sum + countNodes(child), 1);

/** Open as far as something was found, and the first level. */
function nodeElement(node: OutlineNode, depth: number): HTMLElement {
  const { children, isMarked, findings } = node;
  const line = lineElements(node);
  const marks =
    findings.length === 0 ? null : element('ul', { class: 'marks' }, findings.map(findingElement));
  if (children.length === 0) return element('div', {}, line, marks);
  const below = children.map((child) => element('li', {}, nodeElement(child, depth + 1)));
  return element(
    'details',
    { open: isMarked || depth === 0 },
    element('summary', {}, line),
    marks,
    element('ul', {}, below),
  );
}

function lineElements({ step, kinds, bytes: size }: OutlineNode) {
  const texts = [...kinds].map(([kind, seen]) => (seen === 1 ? kind : `${kind} ${count(seen)}×`));
  const facts = [texts.join(', '), ...(size === 0 ? [] : [bytes(size)])].filter((text) => text !== '');
  return [element('code', {}, step), ' ', element('span', { class: 'muted' }, facts.join(' · '))];
}

const SIGNS = { rejected: '✕', slow: '▲', lossy: '◆', note: '·' } as const;
const TONES = { rejected: 'bad', slow: 'poor', lossy: 'fair', note: 'muted' } as const;
const MEANING = {
  rejected: 'cannot be cloned',
  slow: 'slower',
  lossy: 'changed on arrival',
  note: 'note',
} as const;

function findingElement({ title, level, count: seen, blocks, runtimes }: OutlineFinding): HTMLElement {
  const times = seen > 1 ? ` ${count(seen)}×` : '';
  const where =
    blocks.length === 0 || level === 'rejected'
      ? `${MEANING[level]} in ${runtimes.join(', ')}`
      : `breaks the fast path in ${blocks.map((one) => `${one.runtime} (${one.class})`).join(', ')}`;
  return element(
    'li',
    {},
    element('span', { class: TONES[level], 'aria-hidden': 'true' }, `${SIGNS[level]} `),
    element('strong', {}, `${title}${times}`),
    `: ${where}`,
  );
}
