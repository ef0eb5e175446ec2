// A gateway that was started by any command, and what its greeting told.
import type { Subprocess } from "bun";

const startMsMax = 50_000;

export class Greeted implements AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly process: Subprocess<"ignore", "pipe", "inherit">;

  constructor(process: Subprocess<"ignore", "pipe", "inherit">, greeting: string) {
    this.process = process;
    this.url = /listening on (http:\/\/\S+)/.exec(greeting)?.[1] ?? "";
    this.key = /API key: (\S+)/.exec(greeting)?.[1] ?? "";
  }

  async post(path: string, body: unknown): Promise<Response> {
    return await fetch(this.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  async get(path: string): Promise<Response> {
    return await fetch(this.url + path, { headers: { authorization: `Bearer ${this.key}` } });
  }

  async stop(): Promise<number> {
    this.process.kill("SIGTERM");
    return await this.process.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.process.kill("SIGKILL");
    await this.process.exited;
  }
}

/** Runs it in a folder, without any variable but those given, and reads up to its first curl. */
export async function greet(
  command: string[],
  folder: string,
  environment: Record<string, string>,
): Promise<Greeted> {
  const child: Subprocess<"ignore", "pipe", "inherit"> = Bun.spawn(command, {
    cwd: folder,
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const stuck = setTimeout(() => child.kill("SIGKILL"), startMsMax);
  const decoder = new TextDecoder();
  let greeting = "";
  const reader = child.stdout.getReader();
  while (!/"Hello"}]}'\n/.test(greeting)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`it ended before it was up:\n${greeting}`);
    greeting += decoder.decode(value, { stream: true });
  }
  clearTimeout(stuck);
  // Later output must go somewhere, or it could not write.
  void drain(reader);
  return new Greeted(child, greeting);
}

async function drain(reader: { read(): Promise<{ done: boolean }> }): Promise<void> {
  while (!(await reader.read()).done);
}
