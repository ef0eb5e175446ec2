// The port, taken before anything is made on the disk. Until the gateway is there, whoever comes is
// told that it starts. Nodes of one machine may have one together: each is there only when it is
// ready, because until then the others answer.
import type { WebSocketHandler } from "bun";
import type { Config } from "../config/config.ts";
import { systemTimers } from "../core/clock.ts";
import { isObject, parseJson } from "../core/json.ts";
import { send } from "../core/wire/send.ts";
import { requestIdleSeconds } from "../http/request-incoming.ts";
import type { BunServer, HttpServer } from "../http/server.ts";
import type { ResponseSocket } from "../http/sockets/response-sockets.ts";
import { reachableHost } from "../http/reachable-host.ts";
import { findHolder } from "./port-holder.ts";

const askMs = 2000;
const answerBytesMax = 64 * 1024;

const startingText =
  '{"error":{"message":"The gateway is starting.","type":"server_error","param":null,' +
  '"code":"overloaded"}}';

/** Reason why the gateway cannot listen, in words for the operator. */
class PortUnavailable extends Error {
  override readonly name = "PortUnavailable";
}

/** The process that answers, once the gateway is there. */
interface Serving {
  routes: HttpServer["handlers"];
  fetch(request: Request, server: BunServer): Promise<Response | undefined>;
  websocket: WebSocketHandler<ResponseSocket>;
  error(error: Error): Response;
}

export interface Port {
  readonly host: string;
  readonly number: number;
  open(serving: Serving): void;
  /** Lets what runs end, unless it is to be broken off. */
  stop(isAbrupt?: boolean): Promise<void>;
}

type Address = Pick<Config["server"], "host" | "port">;

/**
 * Address that clients come in by, and that of this node alone: the same, unless it has siblings.
 */
export interface Doors {
  front: Port;
  own: Port;
}

export async function takeDoors({ server, node }: Config): Promise<Doors> {
  if (node !== null) {
    const own = await takePort({ host: "127.0.0.1", port: node.ownPort });
    return { front: sharePort(server), own };
  }
  const port = await takePort(server);
  return { front: port, own: port };
}

export const urlOf = ({ host, number }: Pick<Port, "host" | "number">) =>
  `http://${reachableHost(host)}:${number}`;

/** One that siblings listen on as well: the system gives each its part of the connections. */
function sharePort({ host, port }: Address): Port {
  let server: BunServer | null = null;
  return {
    host,
    number: port,
    open(serving) {
      server = open(host, port, serving, true);
    },
    async stop(isAbrupt) {
      await server?.stop(isAbrupt);
    },
  };
}

export async function takePort({ host, port }: Address): Promise<Port> {
  // Another listener is found only by asking, for some systems let two share one port.
  const occupant = port === 0 ? null : await findOccupant(host, port);
  if (occupant !== null) throw taken(host, port, occupant);
  try {
    const server = open(host, port, starting, false);
    return {
      host: server.hostname ?? host,
      number: server.port ?? port,
      open: (serving) => void server.reload(serving),
      stop: async (isAbrupt) => await server.stop(isAbrupt),
    };
  } catch (error) {
    throw explain(error, host, port);
  }
}

/** Until the gateway is there. */
const starting: Serving = {
  routes: {},
  fetch: async () =>
    new Response(startingText, {
      status: 503,
      headers: { "content-type": "application/json", "retry-after": "1" },
    }),
  error: () => new Response(startingText, { status: 503 }),
  // Nobody is let on to a socket before there is one who answers.
  websocket: { message() {} },
};

function open(host: string, port: number, serving: Serving, reusePort: boolean) {
  const { routes, fetch, error, websocket } = serving;
  return Bun.serve({
    hostname: host,
    port,
    reusePort,
    development: false,
    idleTimeout: requestIdleSeconds,
    // The routes' own limits answer in their envelope; Bun's answer would have none.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes,
    fetch,
    error,
    websocket,
  });
}

function explain(error: unknown, host: string, port: number): Error {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return taken(host, port, "another program");
  if (code === "EADDRNOTAVAIL") {
    return new PortUnavailable(
      `Sluice cannot listen on ${host}: this machine has no such address. ` +
        "HOST=127.0.0.1 is this machine alone, HOST=0.0.0.0 every network that it is on.",
    );
  }
  if (code === "EACCES") {
    return new PortUnavailable(
      `Sluice may not listen on port ${port}: those below 1024 are the system's own. ` +
        "Choose another one with PORT, and put a proxy in front.",
    );
  }
  return error instanceof Error ? error : new PortUnavailable(String(error));
}

function taken(host: string, port: number, who: string): PortUnavailable {
  const holder = findHolder(port);
  const other = port < 65_535 ? port + 1 : port - 1;
  return new PortUnavailable(
    `Port ${port} of ${host} is already taken by ${who}${holder === null ? "" : ` (${holder})`}. ` +
      `Stop that one, or choose another port, such as PORT=${other}.`,
  );
}

/** Name of the process that answers there already; null when nobody does. */
async function findOccupant(host: string, port: number): Promise<string | null> {
  const question = new AbortController();
  const stop = systemTimers.after(askMs, () => question.abort());
  try {
    const reply = await send({
      url: `http://${reachableHost(host)}:${port}/healthz`,
      method: "GET",
      headers: {},
      isFresh: true,
      signal: question.signal,
    });
    const body: unknown = parseJson(await reply.bytes(answerBytesMax));
    const isUp = isObject(body) && body["status"] === "up";
    const isStarting = JSON.stringify(body) === startingText;
    return isUp || isStarting ? "another Sluice" : "another program";
  } catch {
    // It said nothing that can be read, or there is nobody: then the port itself will tell.
    return null;
  } finally {
    stop();
  }
}
