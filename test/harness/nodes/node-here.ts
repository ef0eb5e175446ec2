// One gateway within the test's own process, from its start on: it starts in half of the time that
// a process needs, and its clock can be moved.
import { systemMachine, type Machine } from "../../../src/app/machine.ts";
import { beginServing } from "../../../src/cli/serve.ts";
import { greeting } from "../../../src/cli/greeting.ts";
import { resting } from "../../../src/store/sqlite/fixtures/resting-threads.ts";
import type { FolderThreads } from "../../../src/store/sqlite/open.ts";
import { MovableTime } from "../time/movable-time.ts";
import { hashCheaply } from "./cheap-passwords.ts";
import { SharedCounting } from "./shared-counting.ts";
import type { Output, StartedNode } from "./started-node.ts";

/** Tests of a whole folder are one process, whose memory tells nothing of one gateway. */
const rssBytes = () => 64 * 1024 * 1024;

export interface HereOptions {
  time?: MovableTime;
  threads?: FolderThreads;
}

/** The machine of one gateway, as long as its process is the test's. */
export function machineHere({
  time,
  threads = resting,
}: HereOptions & { time: MovableTime }): Machine {
  hashCheaply();
  const startCounting = () => new SharedCounting();
  return { ...systemMachine, clock: time, timers: time, rssBytes, startCounting, threads };
}

export async function startHere(
  environment: Record<string, string>,
  output: Output,
  { time = new MovableTime(), threads }: HereOptions = {},
): Promise<StartedNode> {
  const machine = machineHere({ time, ...(threads && { threads }) });
  const write = (text: string) => void (output.text += text);
  const { config, log, starting, reload } = await beginServing(environment, { machine, write });
  const app = await starting;
  write(greeting(app, config));
  await app.shown();
  const over = Promise.withResolvers<number>();
  let closing: Promise<void> | null = null;
  async function close(): Promise<void> {
    log.info("shutting down", { drainMs: config.server.drainMs });
    await app.close();
    log.flush();
    time.end();
    over.resolve(0);
  }
  const stop = () => (closing ??= close());
  return {
    url: app.url,
    exited: over.promise,
    get pid(): number {
      throw new Error("this gateway has no process of its own: start it with isProcess");
    },
    signal(signal) {
      if (signal === "SIGHUP") void reload();
      else if (signal === "SIGTERM" || signal === "SIGINT") void stop();
      else throw new Error(`only a process takes ${signal}: start it with isProcess`);
    },
    async drop() {
      time.hurry();
      await stop();
    },
    pass: (seconds) => time.pass(seconds),
  };
}
