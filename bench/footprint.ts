/** Cost of the tool: memory of host and guest for a small and a large payload, and disk space when installed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeJson } from './budgets.ts';
import { medianOf } from './interleave.ts';
import type { Row } from './table.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const hook = join(root, 'bench', 'rivals', 'peak-memory.cjs');
const RUNS = 3;
const MB = 1e6;

/** Peak resident memory by script name, MB, of all Node processes of one command. */
function peaksOf(args: string[], dir: string): Record<string, number> {
  const folder = mkdtempSync(join(dir, 'peaks-'));
  const env = { ...process.env, CLONE_PROF_BENCH_PEAKS: folder, NODE_OPTIONS: `--require ${hook}` };
  execFileSync(process.execPath, args, { cwd: root, env, stdio: 'ignore', timeout: 120_000 });
  return Object.fromEntries(
    readdirSync(folder).map((name) => [
      name.replace(/-\d+$/, ''),
      (Number(readFileSync(join(folder, name), 'utf8')) * 1024) / MB,
    ]),
  );
}

const repeated = (args: string[], dir: string, script: string) =>
  Array.from({ length: RUNS }, () => peaksOf(args, dir)).map((peaks) => peaks[script] ?? Number.NaN);

export async function footprint(): Promise<Row[]> {
  const dir = mkdtempSync(join(tmpdir(), 'clone-prof-bench-'));
  try {
    return [...memory(dir), installedSize()];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function memory(dir: string): Row[] {
  mkdirSync(dir, { recursive: true });
  const file = (megabytes: number) => join(dir, `${megabytes}.json`);
  for (const megabytes of [1, 100]) writeJson(file(megabytes), megabytes);
  const analyze = (megabytes: number) => [
    join(root, 'bin', 'clone-prof.js'),
    ...['analyze', '--no-measure', '-f', 'json', '-o', join(dir, 'out.json'), '-r', 'node', '--'],
    file(megabytes),
  ];
  const held = `const v = JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file(100))}, 'utf8')); structuredClone(v)`;
  const host = [1, 100].map((megabytes) => repeated(analyze(megabytes), dir, 'clone-prof.js'));
  const guest = repeated(analyze(100), dir, 'main.mjs');
  const base = repeated(['-e', held], dir, 'inline');
  const growth = medianOf(host[1]!) / medianOf(host[0]!);
  const ratio = medianOf(guest) / medianOf(base);
  return [
    {
      what: 'peak memory of the host, payload of 100 MB / of 1 MB',
      value: growth,
      unit: 'x',
      budget: 1.1,
      held: growth <= 1.1,
      note: `${medianOf(host[1]!).toFixed(0)} MB`,
      raw: host,
    },
    {
      what: 'peak memory of the guest / of parsing and cloning, 100 MB',
      value: ratio,
      unit: 'x',
      budget: 1.5,
      held: ratio <= 1.5,
      note: `${medianOf(guest).toFixed(0)} MB of ${medianOf(base).toFixed(0)} MB`,
      raw: { guest, base },
    },
  ];
}

function bytesIn(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}

/** The package as npm would pack it, and the binary of esbuild for this platform, which is all that it depends on. */
function installedSize(): Row {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const own = (JSON.parse(packed) as { unpackedSize: number }[])[0]!.unpackedSize;
  const esbuild = join(root, 'node_modules', '@esbuild', `${process.platform}-${process.arch}`);
  const value = (own + bytesIn(esbuild)) / MB;
  return {
    what: 'installed size, dependencies included',
    value,
    unit: 'MB',
    budget: 17,
    held: value <= 17,
    note: `${(own / MB).toFixed(1)} MB of them its own`,
  };
}
