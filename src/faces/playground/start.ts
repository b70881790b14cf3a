import type { Report } from '../../model/documents/report.ts';
import type { Channel } from '../../model/names.ts';
import type { AppEvent } from '../../model/run/events.ts';
import type { Chart, Node } from '../../report/doc.ts';
import { html, type Markup, nodesMarkup, table } from '../../report/html/markup.ts';
import { nodesOf, section, text } from '../../report/nodes.ts';
import { answerNodes } from '../../report/print/answer.ts';
import { detailNodes } from '../../report/print/details.ts';
import { NO_PAYLOADS } from '../../report/print/report.ts';
import { jsonReport } from '../../report/text/json.ts';
import type { Span } from '../../report/words.ts';
import { analyzePasted, type PageScript, refusedWithoutRule, unreadError } from './analysis.ts';
import { Input, refuseSize } from './input.ts';

/** Draws all payloads of a report in place of the earlier ones, as the HTML report does. */
function drawResults(into: HTMLElement, report: Report): void {
  const sections = report.payloads.map((payload) =>
    section([answerNodes(payload).map(ofThisPage), detailNodes(payload)]),
  );
  const shown = nodesOf(sections.length === 0 ? text(NO_PAYLOADS) : sections);
  into.replaceChildren(...elementsOf(html`${nodesMarkup(shown, { of: '', draw: asTable })}`));
}

/** Drawings would make the page too large, so tables show their numbers. That of a payload's parts is folded, as it is long. */
function asTable({ kind, title, columns }: Chart, of: string): Markup {
  const numbers = table(title, columns);
  return kind === 'icicle'
    ? html`<details><summary>${of}: ${title}</summary>${numbers}</details>`
    : html`<h3>${title}</h3>${numbers}`;
}

/** Replaces options of the command by the names of the fields of the page. */
function ofThisPage(node: Node): Node {
  if (node.type === 'block') return { ...node, body: node.body.map(ofThisPage) };
  return node.type === 'text' ? { ...node, text: node.text.map(fieldOf) } : node;
}

const fieldOf = (span: Span): Span =>
  typeof span !== 'string' && /^-b \d/.test(span.text)
    ? { ...span, text: span.text.replace('-b', 'Measure for:') }
    : span;

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
    const report = await this.#analyze(null);
    const error = unreadError(report);
    if (error !== null) throw new Unread(error);
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
