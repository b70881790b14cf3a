import { REPORT_SCHEMA } from '../../../model/document-ids.ts';
import type { PayloadReport, Report, Run } from '../../../model/documents/report.ts';
import { ToolError } from '../../../model/errors.ts';
import { type AppEvent, STEPS } from '../../../model/run/events.ts';
import type { FoundRuntime, Visitors } from '../../../model/run/runtime.ts';
import type { PageView } from '../../../model/wire/page-view.ts';
import { deferred, within } from '../../guests/body.ts';
import { server, type Tab, type TabOwner } from '../tab.ts';

/** A browser that somebody opened the link with. Nothing of it can be stopped but its link. */
export function visitor({ spec }: FoundRuntime): TabOwner {
  const { promise, resolve } = deferred<ToolError>();
  return {
    ended: promise,
    processGroup: null,
    // Over a slow network the next page comes late.
    graceMs: 5000,
    kill: () => resolve(new ToolError('browser-left', { value: spec })),
    pause: () => undefined,
    goOn: () => undefined,
    excerpt: () => '',
  };
}

/** Every page is a fresh one, which gets them all again. */
const MAX_SHOWN = 50;
/** For the page after the last guest, so that it can show the end. */
const LAST_PAGE_MS = 3000;

/** Large parts of a run that a page does not show. */
const brief = (run: Run): Run => ({
  ...run,
  shape: null,
  findings: [],
  trials: [],
  verdict: run.verdict && { ...run.verdict, blockers: [] },
  advice: run.advice && { ...run.advice, code: null, module: null },
});

/** What the pages of all visitors show. */
export class VisitorPages implements Visitors {
  readonly #tabs: readonly Tab[];
  readonly #payloads = new Map<string, PayloadReport>();
  #done = 0;
  #of = 0;

  /** @param tabs those that have joined, and that will */
  constructor(tabs: readonly Tab[]) {
    this.#tabs = tabs;
  }

  /** Pages show it before their next request, so that no time is measured meanwhile. */
  show(event: AppEvent): void {
    if (event.type === 'started') this.#of = event.payloads;
    else if (event.type === 'payload-done') this.#done += 1;
    else if (event.type === 'run-done') {
      this.#keep(event.payload, event.run);
      this.#showAll('Waiting: another runtime may have its turn.');
    } else if (event.type === 'step') {
      const status = `Payload ${this.#done + 1} of ${Math.max(this.#of, this.#done + 1)}: ${event.payload}, ${STEPS[event.step]}`;
      for (const tab of this.#tabs) if (tab.runtime.spec === event.runtime) tab.show(this.#view(status));
    }
  }

  async end(): Promise<void> {
    const last = this.#tabs.map((tab) => tab.session);
    await within(LAST_PAGE_MS, Promise.all(last.map(({ connected }) => connected)));
    this.#showAll('Done. You can close this page.', true);
    for (const { session } of this.#tabs) server.close(session);
  }

  #keep(id: string, run: Run): void {
    const source = { file: '', export: null };
    const payload: PayloadReport = this.#payloads.get(id) ?? { id, source, error: null, runs: [] };
    payload.runs.push(brief(run));
    this.#payloads.set(id, payload);
    if (this.#payloads.size > MAX_SHOWN) this.#payloads.delete(this.#payloads.keys().next().value!);
  }

  #showAll(status: string, over = false): void {
    for (const tab of this.#tabs) tab.show(this.#view(status, over));
  }

  #view(status: string, over = false): PageView {
    return { status, report: this.#report(), over };
  }

  /** Without what identifies this machine: the page may be somebody else's. */
  #report(): Report {
    return {
      schema: REPORT_SCHEMA,
      tool: { version: '' },
      machine: { os: '', arch: '', cpu: '', cores: 0, memoryBytes: 0 },
      seed: 0,
      payloads: [...this.#payloads.values()],
    };
  }
}
