// Runs jobs side by side, as many as the machine has room for.

export interface Job {
  /** Jobs of one name share a line of the progress. */
  name: string;
  run(): Promise<void>;
  /** The job begins when this is there. */
  after?: Promise<unknown> | undefined;
}

/** In their order; resolves when all of them have ended. */
export async function runJobs(jobs: readonly Job[], atOnceMax: number): Promise<void> {
  const waiting = [...jobs];
  const work = async (): Promise<void> => {
    for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
      await job.after;
      await job.run();
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, work));
}
