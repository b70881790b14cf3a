import type { PayloadReport, Report, Run, RunError } from '../../model/documents/report.ts';
import type { Untried } from '../../model/documents/trial.ts';
import { runtimeWord } from '../../model/names.ts';
import type { MissingRuntime } from '../../model/run/runtime.ts';
import { placeOf } from '../../reporters/check/texts.ts';
import { groupedBy } from '../../reporters/text/grouped.ts';
import { counted } from '../../reporters/text/numbers.ts';
import { isUsageCode } from '../session/exit-code.ts';
import { headlineOf } from '../session/reasons.ts';

/** Inputs that could not be read, runs that failed, rewrites that could not be tried, runtimes that are missing. */
export function analyzeReasons({ payloads }: Report, missing: readonly MissingRuntime[]): string[] {
  const absent = missing.map(({ error }) => error.message);
  const inPayloads = payloads.flatMap((payload) => [
    ...(payload.error ? [headlineOf(payload.error)] : []),
    ...payload.runs.flatMap((run) => reasonOfRun(run, payload)),
  ]);
  const withoutTime = payloads.flatMap(({ runs }) => runs.filter(hadNoTime));
  const untimed = withoutTime.map(
    ({ error }) => `${counted(withoutTime.length, 'run')} not measured: ${error?.message}`,
  );
  // A missing runtime fails a run of each payload.
  return [
    ...inPayloads.filter((reason) => !absent.some((text) => reason.endsWith(text))),
    ...absent,
    ...untimed,
  ];
}

/** Told once for all. */
const hadNoTime = ({ error }: Run): boolean => error?.code === 'total-spent';

function reasonOfRun({ status, error, runtime, channel, advice }: Run, payload: PayloadReport): string[] {
  const place = placeOf({
    payload: payload.id,
    runtime: `${runtimeWord(runtime)}@${runtime.version}`,
    channel,
  });
  if (status !== 'failed') return untriedReasons(advice?.untried ?? []).map((text) => `${place}: ${text}`);
  if (error === null || error.code === 'interrupted') return [];
  return [isUsageCode(error.code) ? headlineOf(error) : `${place}: ${withoutFile(error, payload)}`];
}

const untriedReasons = (untried: readonly Untried[]): string[] =>
  [...groupedBy(untried, ({ reason }) => reason)].map(([reason, group]) => {
    const names = [...new Set(group.map(({ remedy }) => remedy))];
    return `not tried: ${names.join(', ')}: ${reason}`;
  });

/** The place says already whose error it is. */
function withoutFile(error: RunError, { source: { file } }: PayloadReport): string {
  const text = headlineOf(error);
  return text.startsWith(`${file}: `) ? text.slice(file.length + 2) : text;
}
