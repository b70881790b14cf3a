import { ToolError } from '../../model/errors.ts';
import type { Answer, Failed, GuestRequest, NumberedRequest } from '../../model/wire.ts';
import { leave, openLink } from '../link/socket-link.ts';
import { identity } from '../platform/identity.ts';
import { guardProcess, messageOf, stackOf } from '../user-code/user-code.ts';

type Spoken = Exclude<Answer, Failed & { id: number }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

/** What a question needs is evaluated when it is first asked: the hello must not wait for it. */
async function answerTo(ask: GuestRequest, progress: (done: number, of: number, what: string) => void) {
  switch (ask.type) {
    case 'open':
      return (await import('../payload/open.ts')).open(ask);
    case 'describe':
      return (await import('../describe/describe-payload.ts')).describePayload(ask);
    case 'prove':
      return (await import('../prove/prove.ts')).prove(ask);
    case 'measure':
      return (await import('../measure/measure.ts')).measure(ask, progress);
    case 'dimensions':
      return (await import('../describe/dimensions.ts')).dimensions(ask);
    case 'sample':
      return (await import('../describe/sample-text.ts')).sampleText(ask);
    case 'profile':
      return (await import('../measure/profile/profile.ts')).profile(ask);
    case 'branch-bytes':
      return (await import('../describe/branch-bytes.ts')).branchBytes(ask);
    case 'memory':
      return (await import('../measure/memory/memory.ts')).measureMemory(ask);
    case 'load':
      return (await import('../measure/load/load.ts')).load(ask);
    case 'exit':
      return leave();
    default:
      return ask satisfies never;
  }
}

function failure(error: unknown): Failed {
  if (!(error instanceof ToolError)) {
    return { type: 'failed', code: 'internal', message: messageOf(error), stack: stackOf(error) };
  }
  const { code, message, facts } = error;
  return { type: 'failed', code, message, facts, ...(facts.path === undefined ? {} : { path: facts.path }) };
}

async function answer(request: NumberedRequest): Promise<void> {
  const { id } = request;
  let said: WithoutId<Spoken> | Failed;
  try {
    said = await answerTo(request, (done, of, what) => link.send({ type: 'progress', id, done, of, what }));
  } catch (error) {
    said = failure(error);
  }
  link.send({ ...said, id });
}

let turn = Promise.resolve();
guardProcess();
const link = openLink((request) => {
  turn = turn.then(() => answer(request));
});
link.send({ type: 'hello', token: link.token, ...identity() });
