import { REPORT_SCHEMA } from '../../../model/document-ids.ts';
import type { PayloadReport, Report, Run } from '../../../model/documents/report.ts';
import { ToolError } from '../../../model/errors.ts';
import { STEPS } from '../../../model/run/events.ts';
import type { FoundRuntime, Visitors } from '../../../model/run/runtime.ts';
import type { PageView } from '../../../model/wire/wire.ts';
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

/** What the pages of all visitors show. @param tabs those that have joined, and that will */
export function visitorPages(tabs: readonly Tab[]): Visitors {
  const payloads = new Map<string, PayloadReport>();
  let [done, all] = [0, 0];
  const keep = (id: string, run: Run): void => {
    const source = { file: '', export: null };
    const payload: PayloadReport = payloads.get(id) ?? { id, source, error: null, runs: [] };
    payload.runs.push(brief(run));
    payloads.set(id, payload);
    if (payloads.size > MAX_SHOWN) payloads.delete(payloads.keys().next().value!);
  };
  const view = (status: string, over = false): PageView => ({
    status,
    report: reportOf([...payloads.values()]),
    over,
  });
  const showAll = (status: string, over = false): void => {
    for (const tab of tabs) tab.show(view(status, over));
  };
  return {
    /** Pages show it before their next request, so that no time is measured meanwhile. */
    show(event) {
      if (event.type === 'started') all = event.payloads;
      else if (event.type === 'payload-done') done += 1;
      else if (event.type === 'run-done') {
        keep(event.payload, event.run);
        showAll('Waiting: another runtime may have its turn.');
      } else if (event.type === 'step') {
        const status = `Payload ${done + 1} of ${Math.max(all, done + 1)}: ${event.payload}, ${STEPS[event.step]}`;
        for (const tab of tabs) if (tab.runtime.spec === event.runtime) tab.show(view(status));
      }
    },
    async end() {
      const last = tabs.map((tab) => tab.session);
      await within(LAST_PAGE_MS, Promise.all(last.map(({ connected }) => connected)));
      showAll('Done. You can close this page.', true);
      for (const { session } of tabs) server.close(session);
    },
  };
}

/** Without what identifies this machine: the page may be somebody else's. */
const reportOf = (payloads: PayloadReport[]): Report => ({
  schema: REPORT_SCHEMA,
  tool: { version: '' },
  machine: { os: '', arch: '', cpu: '', cores: 0, memoryBytes: 0 },
  seed: 0,
  payloads,
});
