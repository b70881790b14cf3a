/** Bytes by place in the payload. All entries of a dictionary count as one place, like the items of a list. */
import type { Facts } from '../../model/documents/shape.ts';
import { groupedBy, sumOf, sumsBy } from '../../model/sums.ts';
import { formatPath, type PathStep, parsePath } from '../read/paths.ts';
import { rowEstimate } from './wire-estimate.ts';

/** Minimum keys of a dictionary. It is less than the limit for masking: no user reads twenty similar rows. */
const MANY_KEYS = 20;
/** Minimum share of the entries of a dictionary whose values have the same kinds. */
const MOST = 0.9;
/** An entry with at least this share of all bytes is listed under its own key. */
const LARGE = 0.5;

interface Place {
  /** Bytes of the values at this place, without the values inside them. */
  own: number;
  /** Kinds and classes of the values there. */
  kinds: Set<string>;
  /** Bytes of the values at this place, including all values inside them. */
  bytes: number;
  children: Map<string, { step: PathStep; place: Place }>;
}

const newPlace = (): Place => ({ own: 0, kinds: new Set(), bytes: 0, children: new Map() });

const textOf = (step: PathStep): string => formatPath([step]).slice(1);

function placesOf(rows: readonly Facts[]): Place {
  const root = newPlace();
  const bytesOfRow = rowEstimate(rows);
  for (const row of rows) {
    const steps = parsePath(row.pattern);
    if (steps === null) continue;
    const trail = [root];
    for (const step of steps) {
      const { children } = trail.at(-1)!;
      const text = textOf(step);
      const known = children.get(text) ?? { step, place: newPlace() };
      children.set(text, known);
      trail.push(known.place);
    }
    const own = Math.max(0, bytesOfRow(row)) || 0;
    const place = trail.at(-1)!;
    place.own += own;
    place.kinds.add(`${row.kind} ${row.tag ?? ''}`);
    for (const one of trail) one.bytes += own;
  }
  return root;
}

interface Entry {
  step: PathStep;
  places: Place[];
}

const bytesOf = ({ places }: Entry): number => sumOf(places, ({ bytes }) => bytes);

function areAlike(entries: readonly Entry[]): boolean {
  const kindsOf = ({ places }: Entry) =>
    [...new Set(places.flatMap(({ kinds }) => [...kinds]))].sort().join();
  const counts = sumsBy(entries, kindsOf, () => 1);
  return Math.max(...counts.values()) >= MOST * entries.length;
}

/** Merges the children of several places; the entries of a dictionary become one entry. */
function entriesOf(places: readonly Place[]): Entry[] {
  const byText = groupedBy(
    places.flatMap(({ children }) => [...children]),
    ([text]) => text,
  );
  const all = [...byText.values()].map((same): Entry => {
    return { step: same[0]![1].step, places: same.map(([, { place }]) => place) };
  });
  const keyed = all.filter(({ step }) => step.type === 'key' || step.type === 'any-key');
  if (keyed.length < MANY_KEYS || !areAlike(keyed)) return all;
  const whole = sumOf(keyed, bytesOf);
  const isApart = (entry: Entry) => entry.step.type === 'key' && bytesOf(entry) >= LARGE * whole;
  const others = keyed.filter((entry) => !isApart(entry)).flatMap((entry) => entry.places);
  const rest = all.filter((entry) => !keyed.includes(entry) || isApart(entry));
  return [...rest, { step: { type: 'any-key' }, places: others }];
}

/** Bytes of the values at each place, with their keys, without their contents. `$.results.*.out` is for all entries. */
export function bytesByPlace(rows: readonly Facts[]): Map<string, number> {
  const told = new Map<string, number>();
  const open: { places: Place[]; steps: PathStep[] }[] = [{ places: [placesOf(rows)], steps: [] }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { places, steps } = next;
    const own = sumOf(places, (place) => place.own);
    if (places.some(({ kinds }) => kinds.size > 0)) told.set(formatPath(steps), own);
    for (const { step, places: below } of entriesOf(places))
      open.push({ places: below, steps: [...steps, step] });
  }
  return told;
}
