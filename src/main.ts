// The program: command line, signals, and the one place that ends the process.
import type { DeclaredKeyMade } from "./admin/declared.ts";
import { startApp } from "./app.ts";
import { systemMachine } from "./app/machine.ts";
import { awayCode } from "./app/nodes/nodes.ts";
import { assertNodes, describeNodes, runNodes, type NodesAsk } from "./app/nodes/run-nodes.ts";
import { urlOf } from "./app/port.ts";
import { ControlError } from "./cli/control-client.ts";
import { greeting } from "./cli/greeting.ts";
import { beginServing, createServeLog } from "./cli/serve.ts";
import { createServeProgram, type ServeOptions } from "./cli/serve-program.ts";
import type { Config } from "./config/config.ts";
import { readTextFile, type Environment } from "./config/environment.ts";
import { loadConfig, type ConfigSource } from "./config/load.ts";
import { createSettingsSource } from "./config/page/settings-source.ts";
import { systemClock, systemTimers } from "./core/clock.ts";
import { isAway } from "./core/errors.ts";
import { createLog, describe } from "./core/log.ts";

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

function showKey({ name, key }: DeclaredKeyMade): void {
  process.stdout.write(`API key ${name}: ${key}\n`);
}

/** A gateway on a port of its own for one command, when none is running on the data folder. */
async function withServer(
  config: Config,
  run: (client: { url: string; token: string }) => Promise<void>,
  source: ConfigSource,
): Promise<void> {
  const log = createLog({
    level: "error",
    clock: systemClock,
    timers: systemTimers,
    write: (text) => void process.stderr.write(text),
  });
  // Links that the command makes are for the gateway that will run on this folder.
  const { host, port, publicUrl } = config.server;
  const later = publicUrl ?? (port === 0 ? null : urlOf({ host, number: port }));
  const server = { ...config.server, host: "127.0.0.1", port: 0, publicUrl: later };
  const settings = createSettingsSource(source);
  const alone = { ...config, server, sandbox: "off" } as const;
  const app = await startApp(alone, { log, machine: systemMachine, keyMade: showKey, settings });
  const { password, key } = app.generated;
  // A first start behind a command is still the one time that these are shown.
  if (password !== null) process.stderr.write(`Root password: ${password}\n`);
  if (key !== null) process.stderr.write(`API key: ${key}\n`);
  await app.shown();
  try {
    await run({ url: app.url, token: app.localToken });
  } finally {
    await app.close();
  }
}

async function createProgram(command: string | undefined) {
  const actions = { serve, withServer };
  if (command === "serve") return createServeProgram(actions);
  const whole = await import("./cli/program.ts");
  return whole.createProgram(actions);
}

try {
  await (await createProgram(process.argv[2])).parseAsync(process.argv);
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof ControlError ? error.message : describe(error)}\n`);
  process.exit(1);
}
