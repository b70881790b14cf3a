import type { PayloadReport, Report, Run } from '../model/documents/report.ts';
import type { Channel, RuntimeName } from '../model/names.ts';
import type { Wording } from '../model/report/wording.ts';
import type { AppEvent } from '../model/run/events.ts';
import { block, type Node, text } from '../reporters/doc.ts';
import { html, type Markup, numberTable } from '../reporters/html/markup/markup.ts';
import { nodesMarkup } from '../reporters/html/nodes.ts';
import { answerNodes } from '../reporters/print/answer.ts';
import { bytesText, detailNodes } from '../reporters/print/details.ts';
import { NO_PAYLOADS } from '../reporters/print/report.ts';
import { statusText } from '../reporters/print/verdict.ts';
import type { Chart } from '../reporters/section/model/charts.ts';
import { type Column, columnsOf } from '../reporters/section/model/columns.ts';
import { runtimeName } from '../reporters/section/model/run-groups.ts';
import { listed, type Span, type StyledText } from '../reporters/section/model/sentence.ts';
import { CLASS_TEXTS } from '../reporters/section/model/texts.ts';
import { groupedBy } from '../reporters/text/grouped.ts';
import { jsonReport } from '../reporters/text/json.ts';
import { wordsOf } from '../rule-book/wording.ts';
import { analyzePasted, type PageScript, refusedWithoutRule, unreadError } from './analysis.ts';
import { Input, refuseSize } from './input.ts';
import { drawOutlines } from './outline-view.ts';

/** "simple-object: flat object"; empty for a payload that is refused. */
function pathText({ runtime, verdict }: Run, words: Wording): string {
  if (verdict === null || verdict.path === 'rejected') return '';
  const title = words.paths[runtime.engine][verdict.path]?.title;
  return title === undefined || title === verdict.path ? verdict.path : `${verdict.path}: ${title}`;
}

/** "Bun: copied in memory, without the serializer. Node, Deno and Chromium: written out and read back, value by value." */
export function differenceSentences(runs: readonly Run[]): string {
  const groups = [...groupedBy(runs, effectOf)].sort(([, a], [, b]) => a.length - b.length);
  if (groups.length === 1) return `All engines do the same: ${groups[0]?.[0]}.`;
  return groups
    .map(([effect, own]) => `${listed(own.map(({ runtime }) => TITLES[runtime.name]))}: ${effect}.`)
    .join(' ');
}

const effectOf = ({ verdict }: Run): string => (verdict === null ? 'not known' : CLASS_TEXTS[verdict.class]);

const TITLES: Readonly<Record<RuntimeName, string>> = {
  ...{ node: 'Node', bun: 'Bun', deno: 'Deno', electron: 'Electron', workerd: 'workerd' },
  ...{ chromium: 'Chromium', firefox: 'Firefox', webkit: 'WebKit' },
};

/** Columns that compare the engines for a payload without times. */
const sideBySide = (runs: readonly Run[], words: Wording): Column[] =>
  columnsOf(runs, [
    { head: 'runtime', cell: runtimeName },
    { head: 'class', cell: classCell },
    { head: 'bytes', cell: (run) => bytesText(run) ?? '' },
    { head: 'path', cell: (run) => pathText(run, words) },
  ]);

/** "serialized" is the ordinary case and is not highlighted. */
function classCell(run: Run): StyledText {
  const { text, ...style } = statusText(run);
  return text === 'serialized' ? { text } : { text, ...style };
}

/** Draws all payloads of a report in place of the earlier ones, with the classes of the HTML report's style sheet. */
function drawResults(into: HTMLElement, report: Report): void {
  const words = wordsOf();
  const sections = report.payloads.map((payload, place): Node => {
    const answer = nodesOf(payload, words);
    const body = [...answer, ...detailNodes(payload, words, answer)];
    return { type: 'section', anchor: `${into.id}-${place + 1}`, body };
  });
  const shown = sections.length === 0 ? [text([NO_PAYLOADS])] : sections;
  into.replaceChildren(...elementsOf(html`${nodesMarkup(shown, { of: '', draw: withoutDrawing })}`));
}

/** Drawings would make the page too large, so tables show their numbers. */
const withoutDrawing = (chart: Chart): Markup =>
  chart.isDrawnOnly ? html`` : numberTable(chart.title, chart.columns);

/** Nodes of a payload. If it was not timed, a table compares the engines. */
function nodesOf(payload: PayloadReport, words: Wording): Node[] {
  const { runs } = payload;
  const answer = answerNodes(payload, words).map(ofThisPage);
  if (runs.length < 2 || runs.some(({ measurement }) => measurement !== null)) return answer;
  const [head] = answer;
  return [
    head!,
    ...block([text([differenceSentences(runs)])]),
    { type: 'table', title: 'The engines side by side', columns: sideBySide(runs, words) },
  ];
}

/** Replaces options of the command by the names of the fields of the page. */
function ofThisPage(node: Node): Node {
  if (node.type === 'block') return { ...node, body: node.body.map(ofThisPage) };
  return node.type === 'text' ? { ...node, text: node.text.map(fieldOf) } : node;
}

function fieldOf(span: Span): Span {
  const named = (all: string) => all.replace(/-b (?=\d)/g, 'Measure for: ');
  if (typeof span === 'string') return named(span);
  // Code spans belong to the payload, except the option.
  if (span.code && !/^-b \d\S*$/.test(span.text)) return span;
  return { ...span, text: named(span.text) };
}

/** The only place that turns text into markup. The reporter has escaped all text except its own markup. */
const elementsOf = ({ source }: Markup): ChildNode[] => [
  ...new DOMParser().parseFromString(source, 'text/html').body.childNodes,
];

const order = (id: number) => ({
  id,
  customer: { id: id * 7, name: `Customer ${id}` },
  lines: [
    { sku: `A-${id}`, price: id / 4, count: 1 },
    { sku: `B-${id}`, price: id / 8, count: 2 },
  ],
});

/** Nested records, the kind of payload that most programs post. */
const EXAMPLE = JSON.stringify({ orders: Array.from({ length: 40 }, (_, id) => order(id)) }, null, 1);

const byId = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

const STEPS: Partial<Record<string, string>> = {
  describe: 'Describing the payload',
  prove: 'Proving the rewrites equal',
  measure: 'Measuring',
};

type AnalysisPart = 'verdicts' | 'measured';

class Unread extends Error {}

class Playground {
  readonly #input = new Input();
  readonly #script: PageScript;
  #stop: AbortController | null = null;
  #report: Report | null = null;

  constructor(script: PageScript) {
    this.#script = script;
    this.#input.onChange = () => this.#name();
    byId('form').addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#work(() => this.#classify(), 'verdicts');
    });
    byId('measure').addEventListener('click', () => void this.#work(() => this.#measure(), 'measured'));
    byId('stop').addEventListener('click', () => this.#stop?.abort());
    byId('example').addEventListener('click', () => {
      this.#input.show(EXAMPLE, 'json');
      void this.#work(() => this.#measure(), 'measured');
    });
    byId('save').addEventListener('click', () => this.#save());
    this.#name();
  }

  /** Labels the buttons, which say so if they run code. */
  #name(): void {
    const isCode = this.#input.as === 'javascript';
    byId('classify').textContent = isCode ? 'Run this JavaScript, show engines' : 'Show what engines do';
    byId('measure').textContent = isCode ? 'Run this JavaScript, measure' : 'Measure in this browser';
    byId('hint').textContent = isCode
      ? 'An expression, or a module: each export is a payload, an exported function makes a fresh one. It runs in a worker, for at most 10 seconds.'
      : 'Paste it, or drop a file anywhere on this page.';
  }

  /** @param part section of the page that gets the focus afterwards */
  async #work(work: () => Promise<string>, part: AnalysisPart): Promise<void> {
    const refusal = refuseSize(this.#input.given().data.size);
    this.#tell('', refusal ?? '');
    if (refusal !== null || this.#stop !== null) return;
    this.#stop = new AbortController();
    this.#setBusy(true);
    try {
      const done = await work();
      this.#tell(this.#stop.signal.aborted ? 'Stopped.' : done, '');
      byId(`${part}-title`).focus();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      if (this.#stop.signal.aborted) this.#tell('Stopped.', '');
      else this.#tell('', error instanceof Unread ? text : `This page failed: ${text}`);
    } finally {
      // The stop button, which may have the focus, is hidden now.
      const isLeft = document.activeElement === byId('stop');
      this.#stop = null;
      this.#setBusy(false);
      if (isLeft) byId('classify').focus();
    }
  }

  #tell(status: string, problem: string): void {
    byId('status').textContent = status;
    byId('problem').textContent = problem;
  }

  #setBusy(isBusy: boolean): void {
    for (const id of ['classify', 'measure', 'example']) byId<HTMLButtonElement>(id).disabled = isBusy;
    byId('stop').hidden = !isBusy;
    byId('progress').hidden = true;
    byId('save').hidden = this.#report === null;
  }

  #analyze(budgetMs: number | null): Promise<Report> {
    const channel = byId<HTMLSelectElement>('channel').value as Channel;
    const emit = (event: AppEvent) => this.#progress(event);
    const options = { channel, signal: this.#stop!.signal, emit, budgetMs };
    return analyzePasted(this.#input.given(), this.#script, options);
  }

  /** The status text changes once per step, and only the bar moves in between. */
  #progress(event: AppEvent): void {
    if (event.type !== 'step') return;
    const text = STEPS[event.step];
    const status = byId('status');
    if (text !== undefined && status.textContent !== `${text}…`) status.textContent = `${text}…`;
    const bar = byId<HTMLProgressElement>('progress');
    bar.hidden = event.step !== 'measure';
    bar.value = event.done / event.of;
  }

  async #classify(): Promise<string> {
    byId('measured-part').hidden = true;
    byId('verdicts-part').hidden = true;
    byId('outline').replaceChildren();
    const report = await this.#analyze(null);
    const error = unreadError(report);
    if (error !== null) throw new Unread(error);
    drawOutlines(byId('outline'), report);
    byId('doubt').hidden = !refusedWithoutRule(report);
    this.#show('verdicts', report);
    return 'What each engine does is below.';
  }

  async #measure(): Promise<string> {
    await this.#classify();
    if (this.#stop?.signal.aborted) return '';
    this.#show('measured', await this.#analyze(Number(byId<HTMLSelectElement>('budget').value)));
    return 'The measured time and the advice are below.';
  }

  #show(part: AnalysisPart, report: Report): void {
    this.#report = report;
    drawResults(byId(part), report);
    byId(`${part}-part`).hidden = false;
  }

  #save(): void {
    if (this.#report === null) return;
    const address = URL.createObjectURL(new Blob([jsonReport(this.#report)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = 'clone-prof.json';
    link.click();
    URL.revokeObjectURL(address);
  }
}

/** The workers run the text of the page's own script, since the page is a single file. */
export function start(): void {
  const script = new Blob([byId('script').textContent ?? ''], { type: 'text/javascript' });
  new Playground({ script, version: document.documentElement.dataset.version ?? '' });
}
