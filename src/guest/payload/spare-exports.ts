/** A module with a value of each export. */
interface Evaluation {
  exports: Map<string, unknown>;
}

/** Of a module with fewer exports each call has an evaluation of its own: what two of its exports share is unused then. */
const MANY = 100;
/** A payload may be asked for thousands of times: those that nobody takes are not kept. */
const MOST_KEPT = 4;

const spare = new Map<string, Evaluation[]>();

/**
 * The module evaluated again, with a value of the export that nobody has taken. An evaluation makes a value of each export:
 * one for each payload would make the time for a module grow with the square of its exports.
 */
export async function evaluationWith<T extends Evaluation>(
  name: string,
  file: string,
  evaluate: () => Promise<T>,
): Promise<T> {
  const kept = (spare.get(file) as T[] | undefined) ?? [];
  spare.set(file, kept);
  let found = kept.find(({ exports }) => exports.has(name));
  if (found === undefined) {
    found = await evaluate();
    if (found.exports.size >= MANY) kept.push(found);
    if (kept.length > MOST_KEPT) kept.shift();
  }
  if (!found.exports.has(name)) return found;
  const taken = { ...found, exports: new Map([[name, found.exports.get(name)]]) };
  found.exports.delete(name);
  return taken;
}
