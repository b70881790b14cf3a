/** Whether values are of one kind, so that their keys may be names of things. */
import type { DraftType } from './draft.ts';
import type { Group, RecordGroups } from './record-groups.ts';

/** Records are alike that share this part of all their keys. */
const MIN_SHARED = 0.4;

/** What stands at the ends of objects in objects. */
interface Leaves {
  kinds: Set<string>;
  /** Objects whose fields are of several kinds. */
  records: Set<Group>;
}

/** All have one kind of value, objects of such values and null besides. */
export function areUniform(types: readonly DraftType[], groups: RecordGroups): boolean {
  const { kinds, records } = leavesOf(types, groups, new Set());
  return kinds.size === 1 && areAlike([...records]);
}

function leavesOf(types: Iterable<DraftType>, groups: RecordGroups, path: Set<Group>): Leaves {
  const leaves: Leaves = { kinds: new Set(), records: new Set() };
  for (const type of types) {
    addScalars(type.now, leaves.kinds);
    const group = groups.of(type);
    if (type.now.values !== null) add(leaves, leavesOf([type.now.values], groups, path));
    if (group === null || path.has(group)) continue;
    const below = leavesOf(group.fields.values(), groups, new Set(path).add(group));
    if (below.kinds.size <= 1 && areAlike([...below.records])) add(leaves, below);
    else add(leaves, { kinds: new Set(['record']), records: new Set([group]) });
    if (leaves.kinds.size > 1) return leaves;
  }
  return leaves;
}

function add(to: Leaves, { kinds, records }: Leaves): void {
  for (const kind of kinds) to.kinds.add(kind);
  for (const group of records) to.records.add(group);
}

function addScalars(type: DraftType, kinds: Set<string>): void {
  if (type.texts !== null) kinds.add('text');
  if (type.hasInt32 || type.hasDouble) kinds.add('number');
  if (type.hasBoolean) kinds.add('boolean');
  if (type.hasBigint) kinds.add('bigint');
  if (type.hasDate) kinds.add('date');
  if (type.items !== null || type.numbers !== null) kinds.add('list');
  if (type.map !== null) kinds.add('map');
  if (type.members !== null) kinds.add('set');
  if (type.bytes !== null || type.hasRest) kinds.add('rest');
}

function areAlike(records: readonly Group[]): boolean {
  if (records.length <= 1) return true;
  const keys = new Set(records.flatMap(({ fields }) => [...fields.keys()]));
  const sum = records.reduce((total, { fields }) => total + fields.size, 0);
  return sum / records.length >= MIN_SHARED * keys.size;
}
