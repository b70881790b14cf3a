// Taken before user code can replace it.
const leave = location.replace.bind(location);

/** Makes room for the next guest of the same browser, which the host answers with: a page of another process. */
export function leavePage(): void {
  leave(new URL('next', new URL('./', location.href)));
}
