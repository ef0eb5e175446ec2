// The program: command line, signals, and the one place that ends the process.
import { systemMachine } from "./app/machine.ts";
import { awayCode } from "./app/nodes/nodes.ts";
import { assertNodes, describeNodes, runNodes, type NodesAsk } from "./app/nodes/run-nodes.ts";
import { createWithServer } from "./cli/alone.ts";
import { lastWords } from "./cli/control-client.ts";
import { greeting } from "./cli/greeting.ts";
import { beginServing, createServeLog } from "./cli/serve.ts";
import { createServeProgram, type ServeOptions } from "./cli/serve-program.ts";
import type { Config } from "./config/config.ts";
import { readTextFile, type Environment } from "./config/environment.ts";
import { loadConfig } from "./config/load.ts";
import { systemTimers } from "./core/clock.ts";
import { isAway } from "./core/errors.ts";
import { describe } from "./core/log.ts";

async function serve(environment: Environment, { nodes, nodePorts = 0 }: ServeOptions) {
  if (nodes === undefined) await serveAlone(environment).catch(endAway);
  else await serveNodes(environment, { count: nodes, ownPorts: nodePorts });
}

/** Exit with the code on which the parent restarts a node whose database went away. */
function endAway(error: unknown): never {
  if (process.send === undefined || !isAway(error)) throw error;
  process.stderr.write(`${describe(error)}\n`);
  process.exit(awayCode);
}

const needs = {
  machine: systemMachine,
  write: (text: string) => void process.stdout.write(text),
  reached: () => void process.send?.({ reached: true }),
};

async function serveNodes(environment: Environment, ask: NodesAsk): Promise<void> {
  const config = await loadConfig({ environment, readFile: readTextFile });
  assertNodes(config);
  const log = createServeLog(config, needs);
  const ended = Promise.withResolvers<void>();
  process.on("SIGTERM", ended.resolve);
  process.on("SIGINT", ended.resolve);
  const starting = runNodes(config, ask, { log, environment, ended: ended.promise });
  process.on("SIGHUP", () => void starting.then((running) => running.signal("SIGHUP")));
  const running = await starting;
  const lines = [`Sluice is listening on ${running.url}`, describeNodes(config, ask.count)];
  if (running.isServing) process.stdout.write(`${lines.join("\n")}\n`);
  await ended.promise;
  log.info("shutting down", { nodes: ask.count, drainMs: config.server.drainMs });
  await running.close();
}

async function serveAlone(environment: Environment): Promise<void> {
  const { config, log, starting, reload } = await beginServing(environment, needs);
  // Signals are obeyed from the first moment on: one during the start ends it when it has started.
  const ended = Promise.withResolvers<void>();
  process.on("SIGTERM", ended.resolve);
  process.on("SIGINT", ended.resolve);
  if (config.node !== null) process.on("disconnect", () => endAlone(config, ended.resolve));
  process.on("SIGHUP", () => void reload());
  const app = await starting;
  needs.write(greeting(app, config));
  await Promise.race([app.shown(), ended.promise]);
  if (config.node !== null) process.send?.({ url: app.ownUrl, token: app.localToken });
  await ended.promise;
  log.info("shutting down", { drainMs: config.server.drainMs });
  await app.close();
}

const aloneGraceMs = 30_000;

/** One of several nodes does not outlive the process that started it: nobody could end it. */
function endAlone({ server: { leaveMs, drainMs } }: Config, end: () => void): void {
  end();
  systemTimers.after(leaveMs + drainMs + aloneGraceMs, () => process.exit(1));
}

async function createProgram(command: string | undefined) {
  const writeError = (text: string) => void process.stderr.write(text);
  const actions = { serve, withServer: createWithServer({ ...needs, writeError }) };
  if (command === "serve") return createServeProgram(actions);
  const whole = await import("./cli/program.ts");
  return whole.createProgram(actions);
}

try {
  await (await createProgram(process.argv[2])).parseAsync(process.argv);
  process.exit();
} catch (error) {
  process.stderr.write(`${lastWords(error)}\n`);
  process.exit(1);
}
