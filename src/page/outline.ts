/** The payload as a tree of path patterns, with what each engine's rules found at each. Pure. */
import { formatPath, parsePath } from '../core/paths.ts';
import type { PayloadReport, Run } from '../model/documents/report.ts';
import type { Facts } from '../model/documents/shape.ts';
import { type CostClass, LEVELS, type Level } from '../model/names.ts';
import type { Wording } from '../model/report/wording.ts';

export interface OutlineFinding {
  title: string;
  level: Level;
  count: number;
  /** The engines whose fast path it breaks, with the class that the payload has there. */
  blocks: { runtime: string; class: CostClass }[];
  runtimes: string[];
}

export interface OutlineNode {
  /** The last step of the pattern: ".name", "[*]", "$". */
  step: string;
  pattern: string;
  kinds: Map<string, number>;
  /** Bytes of texts and buffers, here and below. */
  bytes: number;
  findings: OutlineFinding[];
  isMarked: boolean;
  children: OutlineNode[];
}

type Nodes = Map<string, OutlineNode>;

/** A payload of so many different places is not read place by place. */
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

/** The node of a pattern, with those above it; null beyond the limit. */
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

/** Sums from the leaves up. Described payloads are at most as deep as the limit of their shape. */
function settle(node: OutlineNode): void {
  node.findings.sort((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
  node.isMarked = node.findings.length > 0;
  for (const child of node.children) {
    settle(child);
    node.bytes += child.bytes;
    node.isMarked ||= child.isMarked;
  }
}
