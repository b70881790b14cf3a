/** A value that the entry of a bundle gives, before other code asks for it. @param what for the error: 'a platform' */
export function givenByEntry<T>(what: string): { give(value: T): void; get(): T } {
  let given: T | null = null;
  return {
    give: (value) => {
      given = value;
    },
    get() {
      if (given === null) throw new Error(`no entry gave ${what}`);
      return given;
    },
  };
}
