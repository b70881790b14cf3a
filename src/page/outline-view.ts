import type { PayloadReport, Report } from '../model/documents/report.ts';
import { bytes, count } from '../reporters/text/numbers.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { element } from './elements.ts';
import { MAX_NODES, makeOutline, type OutlineFinding, type OutlineNode } from './outline.ts';

export function drawOutlines(into: HTMLElement, report: Report): void {
  into.replaceChildren(...report.payloads.flatMap((payload) => outlineElement(payload) ?? []));
}

function outlineElement(payload: PayloadReport): HTMLElement | null {
  const root = makeOutline(payload, wordsOf());
  if (root === null) return null;
  const note = (text: string) => element('p', { class: 'muted' }, text);
  return element(
    'section',
    { class: 'outline' },
    element('h3', {}, `Outline of ${payload.id}`),
    note('Bytes are those of strings and buffers, here and below.'),
    element('ul', { class: 'tree' }, element('li', {}, nodeElement(root, 0))),
    countNodes(root) >= MAX_NODES ? note(`The first ${MAX_NODES} places.`) : null,
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
  const open = isMarked || depth === 0;
  return element('details', { open }, element('summary', {}, line), marks, element('ul', {}, below));
}

function lineElements({ step, kinds, bytes: size }: OutlineNode) {
  const texts = [...kinds].map(([kind, seen]) => (seen === 1 ? kind : `${kind} ${count(seen)}×`));
  const facts = [texts.join(', '), ...(size === 0 ? [] : [bytes(size)])].filter((text) => text !== '');
  return [element('code', {}, step), ' ', element('span', { class: 'muted' }, facts.join(' · '))];
}

const LEVEL_WORDS = {
  rejected: { sign: '✕', tone: 'bad', meaning: 'cannot be cloned' },
  slow: { sign: '▲', tone: 'poor', meaning: 'slower' },
  lossy: { sign: '◆', tone: 'fair', meaning: 'changed on arrival' },
  note: { sign: '·', tone: 'muted', meaning: 'note' },
} as const;

function findingElement({ title, level, count: seen, blocks, runtimes }: OutlineFinding): HTMLElement {
  const { sign, tone, meaning } = LEVEL_WORDS[level];
  const times = seen > 1 ? ` ${count(seen)}×` : '';
  const where =
    blocks.length === 0 || level === 'rejected'
      ? `${meaning} in ${runtimes.join(', ')}`
      : `breaks the fast path in ${blocks.map((one) => `${one.runtime} (${one.class})`).join(', ')}`;
  const mark = element('span', { class: tone, 'aria-hidden': 'true' }, `${sign} `);
  return element('li', {}, mark, element('strong', {}, `${title}${times}`), `: ${where}`);
}
