/** Cause of the error of a failed run, and the next step for the user. */
import type { Run, RunError } from '../../../model/documents/report.ts';
import { foldedPath } from '../../text/paths.ts';

type Cause = Record<'rule' | 'path', string> & { count: number };

const STACK_ENDED = /call stack size exceeded|too much recursion/i;
const DEPTH_RULE = /deep/;

/** Findings that explain why the run failed; null if it did not fail, or if no cause is known. */
export function failureCauses({ status, error, verdict, findings }: Run): readonly Cause[] | null {
  if (status !== 'failed' || verdict === null || !STACK_ENDED.test(error?.message ?? '')) return null;
  const deep = findings.filter(({ rule }) => DEPTH_RULE.test(rule));
  return deep.length > 0 ? deep : [{ rule: 'spec/stack-overflow', path: '$', count: 1 }];
}

/** Next steps by the code of the error. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  'guest-timeout': 'raise --timeout',
  'proofs-budget': 'raise -b',
  'proofs-timeout': 'raise --timeout',
  'total-spent': 'raise --total',
  'channel-unsupported': 'another channel',
  'module-unsupported': 'another runtime',
  interrupted: 'run it again',
};

/** "raise --timeout", for tables; "" if the run did not fail. */
export function failureStep(run: Run): string {
  if (run.status !== 'failed') return '';
  return failureCauses(run) ? 'fix the cause' : (NEXT_STEPS[run.error?.code ?? ''] ?? 'see its error');
}

/** Error message with its path folded; the path comes first if the message does not contain it. */
export function errorText({ path, message }: RunError): string {
  if (path === undefined) return message;
  const shown = foldedPath(path);
  return message.includes(path) ? message.replaceAll(path, () => shown) : `${shown}: ${message}`;
}
