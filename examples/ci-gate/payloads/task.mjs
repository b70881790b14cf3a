import { makeTask } from '../src/task.mjs';

const USER = { id: 7, name: 'Ada', save() {} };
const FILES = Array.from({ length: 50 }, (_, n) => `photo-${n}.jpg`);

/** The largest task that the program posts. */
export const resize = () => makeTask(USER, FILES);
