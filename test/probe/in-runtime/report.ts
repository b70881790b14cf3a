/** Runs inside the probed runtime: prints what the probe says of each value, as one JSON line. */
import { describe } from '../../../src/core/describe/describe.ts';
import { probeFor, runningProbe } from '../../../src/probe/probe.ts';
import { VALUES } from './values.ts';

export interface Said {
  kind: string;
  flags: string[];
  path: string | null;
  at: string[];
  hidden: string[] | null;
  refused: string | null;
  wireBytes: number | null;
  rejected: string | null;
}

const probe = await probeFor();
const said: Record<string, Said> = {};
for (const [name, fresh] of Object.entries(VALUES)) {
  const shape = describe(fresh(), probe);
  const root = shape.patterns.find((row) => row.pattern === '$')!;
  const { confirmation, wireBytes, rejected } = await runningProbe().confirm(
    async () => fresh(),
    shape,
    'worker',
  );
  said[name] = {
    kind: root.kind,
    flags: root.flags,
    path: confirmation.path,
    at: confirmation.examples.map(({ example, path: saw }) => `${example} ${saw}`),
    hidden: confirmation.hidden,
    refused: confirmation.refused,
    wireBytes,
    rejected,
  };
}
console.log(JSON.stringify({ by: probe.storage.by, said }));
process.exit(0);
