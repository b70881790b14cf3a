const PERMISSION = /^--(?:experimental-)?permission$/;
/** With both the recorder can be loaded, and write. */
const NEEDED = ['--allow-fs-read=*', '--allow-fs-write=*'];

/**
 * Reason why the program cannot be recorded under --permission, or null: with the recorder, which cannot read its files, the
 * program would not even start.
 */
export function permissionGap(command: readonly string[], nodeOptions = ''): string | null {
  const words = [...command, ...nodeOptions.split(/\s+/)];
  if (!words.some((word) => PERMISSION.test(word)) || NEEDED.every((word) => words.includes(word)))
    return null;
  return `The program runs with --permission: without ${NEEDED.join(' and ')} nothing of it can be recorded.`;
}
