import { formatPath, parsePath } from '../core/paths.ts';
import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { Facts } from '../model/documents/shape.ts';
import { type CostClass, LEVELS, type Level } from '../model/names.ts';
import type { Wording } from '../model/report/wording.ts';
import { visible } from '../reporters/text/escape.ts';
import { bytes, count } from '../reporters/text/numbers.ts';
import { wordsOf } from '../rule-book/wording.ts';

interface OutlineFinding {
  title: string;
  level: Level;
  count: number;
  /** Engines whose fast path the finding breaks, each with the class of the payload there. */
  blocks: { runtime: string; class: CostClass }[];
  runtimes: string[];
}

export interface OutlineNode {
  /** The last step of the pattern: ".name", "[*]", "$". */
  step: string;
  pattern: string;
  kinds: Map<string, number>;
  /** Bytes of texts and buffers in this node and in the nodes below it. */
  bytes: number;
  findings: OutlineFinding[];
  isMarked: boolean;
  children: OutlineNode[];
}

type Nodes = Map<string, OutlineNode>;

/** Maximum number of places in an outline: more of them cannot be read one by one. */
export const MAX_NODES = 400;

export function makeOutline({ runs }: PayloadReport, words: Wording): OutlineNode | null {
  const described = runs.filter((run) => run.shape !== null);
  const patterns = described[0]?.shape?.patterns ?? [];
  const nodes: Nodes = new Map();
  for (const facts of patterns) addFacts(nodes, facts);
  for (const run of described) for (const one of run.findings) addFinding(nodes, run, one, words);
  const root = nodes.get('$') ?? null;
  if (root) settle(root);
  return root;
}

/** Returns the node of a pattern and makes its missing parents; null beyond the limit. */
function nodeAt(nodes: Nodes, pattern: string): OutlineNode | null {
  const known = nodes.get(pattern);
  if (known) return known;
  const steps = parsePath(pattern);
  if (steps === null || nodes.size >= MAX_NODES) return null;
  const above = formatPath(steps.slice(0, -1));
  const parent = steps.length === 0 ? null : nodeAt(nodes, above);
  if (parent === null && steps.length > 0) return null;
  const step = steps.length === 0 ? pattern : pattern.slice(above.length);
  const node: OutlineNode = {
    ...{ step, pattern, kinds: new Map(), bytes: 0, findings: [], isMarked: false, children: [] },
  };
  nodes.set(pattern, node);
  parent?.children.push(node);
  return node;
}

function addFacts(nodes: Nodes, { pattern, kind, tag, count, bytes }: Facts): void {
  const node = nodeAt(nodes, pattern);
  if (node === null) return;
  const name = tag ?? kind;
  node.kinds.set(name, (node.kinds.get(name) ?? 0) + count);
  node.bytes += bytes?.backing ?? bytes?.total ?? 0;
}

function addFinding(nodes: Nodes, run: Run, finding: Run['findings'][number], words: Wording): void {
  const { rule, path, level, count } = finding;
  const node = nodeAt(nodes, path);
  const { verdict } = run;
  if (node === null || verdict === null) return;
  const title = words.rules[rule]?.title ?? rule;
  let found = node.findings.find((one) => one.title === title);
  if (found === undefined) {
    found = { title, level, count, blocks: [], runtimes: [] };
    node.findings.push(found);
  }
  const runtime = `${run.runtime.name} ${run.runtime.version}`;
  found.runtimes.push(runtime);
  if (verdict.blockers.some((one) => one.rule === rule && one.path === path))
    found.blocks.push({ runtime, class: verdict.class });
}

/** Sums sizes and marks from the leaves up. The recursion is bounded: the shape of a payload has a maximum depth. */
function settle(node: OutlineNode): void {
  node.findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  node.isMarked = node.findings.length > 0;
  for (const child of node.children) {
    settle(child);
    node.bytes += child.bytes;
    node.isMarked ||= child.isMarked;
  }
}

type Child = Node | string | null | readonly Child[];
type Attributes = Readonly<Record<string, string | number | boolean | null>>;

/** Appends texts as text nodes, never as markup, with characters escaped that would reorder or hide a line. */
function append(into: ParentNode, child: Child): void {
  if (child === null) return;
  if (typeof child === 'string') into.append(visible(child));
  else if (child instanceof Node) into.append(child);
  else for (const one of child) append(into, one);
}

function withAttributes<E extends Element>(made: E, attributes: Attributes, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  }
  append(made, children);
  return made;
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return withAttributes(document.createElement(tag), attributes, children);
}

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

/** A node is open if it or a node below has a finding, or if it is on the first level. */
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
