/**
 * True only where two types have the same paths, optional keys marked, and the same type at the end of each. Mutual
 * assignability does not see an optional key that one of the two lacks, and gives up on deeply nested types.
 */
export type Same<A, B> = [Leaves<A>] extends [Leaves<B>]
  ? [Leaves<B>] extends [Leaves<A>]
    ? true
    : false
  : false;

/** A union of [path, type]: ['.runs[].error', null] | ['.runs[].error.path?', string]. */
type Leaves<T, Path extends string = ''> =
  | ([Exclude<T, object>] extends [never] ? never : [Path, Exclude<T, object>])
  | ([Extract<T, object>] extends [never] ? never : LeavesOfObject<Extract<T, object>, Path>);

type LeavesOfObject<T, Path extends string> = T extends readonly unknown[]
  ? Leaves<T[number], `${Path}[${number extends T['length'] ? '' : T['length'] & number}]`>
  :
      | {
          [K in keyof T & string]-?: string extends K ? never : Leaves<T[K], `${Path}.${K}${Mark<T, K>}`>;
        }[keyof T & string]
      | (string extends keyof T ? Leaves<T[keyof T & string], `${Path}.*`> : never);

type Mark<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? '?' : '';
