const PERMISSION = /^--(?:experimental-)?permission$/;
/** With both the recorder can be loaded, and write. */
const NEEDED = ['--allow-fs-read=*', '--allow-fs-write=*'];

/**
 * Why nothing can be recorded of a program that Node's permission model keeps from the files of the recorder: with it, such a
 * program would not even start. null where it may.
 */
export function permissionGap(command: readonly string[], nodeOptions = ''): string | null {
  const words = [...command, ...nodeOptions.split(/\s+/)];
  if (!words.some((word) => PERMISSION.test(word)) || NEEDED.every((word) => words.includes(word)))
    return null;
  return `The program runs with --permission: without ${NEEDED.join(' and ')} nothing of it can be recorded.`;
}
