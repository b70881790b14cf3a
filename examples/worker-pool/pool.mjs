import { Worker } from 'node:worker_threads';

/** Runs tasks in workers, one task in each at a time. */
export class Pool {
  #idle;
  #waiting = [];

  constructor(file, { size, workerData }) {
    this.#idle = Array.from({ length: size }, () => new Worker(file, { workerData }));
  }

  async run(task) {
    const worker = this.#idle.pop() ?? (await new Promise((resolve) => this.#waiting.push(resolve)));
    try {
      return await new Promise((resolve, reject) => {
        worker.once('message', resolve);
        worker.once('error', reject);
        worker.postMessage(task);
      });
    } finally {
      worker.removeAllListeners('error');
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#idle.push(worker);
    }
  }

  /** Call it when no task runs. */
  close() {
    return Promise.all(this.#idle.map((worker) => worker.terminate()));
  }
}
