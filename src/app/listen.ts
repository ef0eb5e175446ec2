// The socket: opened when the gateway is there, drained at the end.
import type { Config } from "../config/config.ts";
import type { Timers } from "../core/clock.ts";
import { describe, type Log } from "../core/log.ts";
import type { HttpServer } from "../http/server.ts";
import type { ResponseSockets } from "../http/sockets/response-sockets.ts";
import type { OpenStreams } from "../http/stream-response.ts";
import type { Doors, Port } from "./port.ts";

const interruptGraceMs = 2000;

interface Listeners {
  server: HttpServer;
  sockets: ResponseSockets;
}

/** From here on requests are served: where the node itself is found, and then where clients are. */
export function listen(
  { front, own }: Doors,
  { server: http, sockets }: Listeners,
  log: Log,
): void {
  const serving: Parameters<Port["open"]>[0] = {
    routes: http.handlers,
    fetch: (request, server) => http.handle(request, server, null),
    websocket: sockets.handler((request, ip) => http.serveFrame(request, ip)),
    error(error) {
      log.error("unhandled", { error: describe(error) });
      return new Response(
        '{"error":{"message":"Something went wrong inside the gateway.","type":"server_error",' +
          '"param":null,"code":"server_error"}}',
        { status: 500, headers: { "content-type": "application/json" } },
      );
    },
  };
  for (const port of new Set([own, front])) port.open(serving);
}

/** Links and sign-in need an address that others can reach, and who listens to them has one. */
export function warnOfAddress({ server }: Config, log: Log): void {
  const { host, publicUrl } = server;
  if (publicUrl !== null || /^(?:localhost|127\.|::1$)/.test(host)) return;
  log.warn("the gateway can be reached by others, and server.public_url is not set", {
    host,
    effect: "links to media name the address that a request came to, callbacks this machine's own",
    remedy: "set SLUICE_PUBLIC_URL to the address that clients use, such as https://ai.example.com",
  });
}

/** `interrupted` is told before what still runs is broken off. */
export async function drain(
  { front, own }: Doors,
  streams: OpenStreams,
  { drainMs, timers }: { drainMs: number; timers: Timers },
  interrupted: () => void,
): Promise<void> {
  const stopAll = async (isAbrupt: boolean) =>
    void (await Promise.all([...new Set([front, own])].map((port) => port.stop(isAbrupt))));
  const stopped = stopAll(false);
  const isDone = await Promise.race([
    stopped.then(() => true),
    new Promise<false>((resolve) => timers.after(drainMs, () => resolve(false))),
  ]);
  if (isDone) return;
  interrupted();
  streams.interrupt();
  await Promise.race([
    stopped,
    new Promise<void>((resolve) => timers.after(interruptGraceMs, resolve)),
  ]);
  await stopAll(true);
}
