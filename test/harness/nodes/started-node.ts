// One gateway that runs: a process of the program here, from its start on.
import type { Subprocess } from "bun";

const startMsMax = 50_000;

export type NodeChild = Subprocess<"ignore", "pipe", "pipe">;

/** Lines that gateways have written, in the order in which they came. */
export interface Output {
  text: string;
}

export interface StartedNode {
  url: string;
  /** Throws where it has no process of its own. */
  readonly pid: number;
  exited: Promise<number>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it at once, whatever runs. */
  drop(): Promise<void>;
  /** Lets time pass for it; throws where it has a process of its own, with the machine's clock. */
  pass(seconds: number): void;
}

/** Resolves when it says where it listens. */
export async function started(child: NodeChild, output: Output): Promise<StartedNode> {
  const { url: told, ended } = read(child, output);
  const url = await Promise.race([
    told,
    // Its last output may still be on its way when it has exited.
    Promise.all([child.exited, ended]).then(([code]) => {
      throw new Error(`the gateway ended with ${code}:\n${output.text}`);
    }),
    Bun.sleep(startMsMax).then(() => {
      throw new Error(`the gateway did not start:\n${output.text}`);
    }),
  ]);
  return {
    url,
    pid: child.pid,
    exited: child.exited,
    signal: (signal) => child.kill(signal),
    async drop() {
      child.kill("SIGKILL");
      await child.exited;
    },
    pass() {
      throw new Error("a process goes by the clock of the machine");
    },
  };
}

/** Collects both streams for as long as the process lives. */
function read(child: NodeChild, output: Output): { url: Promise<string>; ended: Promise<unknown> } {
  const { promise: url, resolve } = Promise.withResolvers<string>();
  async function collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of stream) {
      const text = rest + decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      const lines = text.slice(0, end);
      output.text += lines;
      const address = /listening on (http:\/\/\S+)/.exec(lines)?.[1];
      if (address !== undefined) resolve(address);
    }
    output.text += rest;
  }
  return { url, ended: Promise.all([collect(child.stdout), collect(child.stderr)]) };
}
