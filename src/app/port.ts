// The port, taken before anything is made on the disk. Until the gateway is there, whoever comes is
// told that it starts.
import type { Config } from "../config/config.ts";
import { systemTimers } from "../core/clock.ts";
import { isObject, parseJson } from "../core/json.ts";
import { send } from "../core/wire/send.ts";
import { reachableHost } from "../http/reachable-host.ts";
import { findHolder } from "./port-holder.ts";

const requestIdleSeconds = 30;
const askMs = 2000;
const answerBytesMax = 64 * 1024;

const startingText =
  '{"error":{"message":"The gateway is starting.","type":"server_error","param":null,' +
  '"code":"overloaded"}}';

/** What keeps the gateway from listening, in words for the operator. */
class PortUnavailable extends Error {
  override readonly name = "PortUnavailable";
}

export async function takePort({ host, port }: Config["server"]) {
  // Where the system lets two listen on one port, the other one is found only by asking.
  const occupant = port === 0 ? null : await findOccupant(host, port);
  if (occupant !== null) throw taken(host, port, occupant);
  try {
    return Bun.serve({
      hostname: host,
      port,
      development: false,
      idleTimeout: requestIdleSeconds,
      // The routes' own limits answer in their envelope; Bun's answer would have none.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch: () =>
        new Response(startingText, {
          status: 503,
          headers: { "content-type": "application/json", "retry-after": "1" },
        }),
    });
  } catch (error) {
    throw explain(error, host, port);
  }
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

/** Who answers there already; null when nobody does. */
async function findOccupant(host: string, port: number): Promise<string | null> {
  const asked = new AbortController();
  const stop = systemTimers.after(askMs, () => asked.abort());
  try {
    const reply = await send({
      url: `http://${reachableHost(host)}:${port}/healthz`,
      method: "GET",
      headers: {},
      isFresh: true,
      signal: asked.signal,
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
