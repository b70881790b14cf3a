/** Runs inside the probed runtime: prints what the probe says of each value, as one JSON line. */
import { postBytes } from '../../../../src/engines/classify/classify.ts';
import { ENGINES } from '../../../../src/engines/index.ts';
import { runningRuntime } from '../../../../src/engines/probe/process.ts';
import type { PostBytes } from '../../../../src/model/documents/classification.ts';
import type { PathName } from '../../../../src/model/names.ts';
import { describe } from '../../../../src/value/describe/describe.ts';
import { probeFor, runningProbe } from '../../../support/probe.ts';
import { VALUES } from './values.ts';

export interface Said {
  kind: string;
  flags: string[];
  path: string | null;
  at: string[];
  hidden: string[] | null;
  refused: string | null;
  /** What the engine says that the message takes, and what is told of the same value without a post. */
  cost: { evidence: string; bytes: PostBytes | null };
  rejected: string | null;
}

const probe = await probeFor();

async function costOf(value: unknown, path: PathName | null): Promise<Said['cost']> {
  const shape = describe(value, probe);
  const { evidence } = await runningProbe().confirm(async () => value, shape, 'worker');
  const message = path === 'rejected' ? [] : runningProbe().messageBytes(value, shape, 'worker');
  const context = { runtime: running, channel: 'worker' } as const;
  const bytes = path && postBytes(shape, path, ENGINES[running.engine], context, message);
  return { evidence, bytes };
}

const running = runningRuntime();
const said: Record<string, Said> = {};
for (const [name, fresh] of Object.entries(VALUES)) {
  const shape = describe(fresh(), probe);
  const root = shape.patterns.find((row) => row.pattern === '$')!;
  const confirmation = await runningProbe().confirm(async () => fresh(), shape, 'worker');
  said[name] = {
    kind: root.kind,
    flags: root.flags,
    path: confirmation.path,
    at: confirmation.examples.map(({ example, path: saw }) => `${example} ${saw}`),
    hidden: confirmation.hidden,
    refused: confirmation.refused,
    cost: await costOf(fresh(), confirmation.path),
    rejected: confirmation.path === 'rejected' ? confirmation.evidence : null,
  };
}
console.log(JSON.stringify({ by: probe.storage.by, said }));
process.exit(0);
