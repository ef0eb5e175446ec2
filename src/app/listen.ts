// The socket: opened when the gateway is there, drained at the end.
import { systemTimers } from "../core/clock.ts";
import { describe, type Log } from "../core/log.ts";
import type { HttpServer } from "../http/server.ts";
import type { OpenStreams } from "../http/stream-response.ts";
import type { takePort } from "./port.ts";

const interruptGraceMs = 2000;

type Port = Awaited<ReturnType<typeof takePort>>;

/** From here on requests are served. */
export function listen(port: Port, http: HttpServer, log: Log): void {
  port.reload({
    routes: http.handlers,
    fetch: (request, server) => http.handle(request, server, null),
    error(error) {
      log.error("unhandled", { error: describe(error) });
      return new Response(
        '{"error":{"message":"Something went wrong inside the gateway.","type":"server_error",' +
          '"param":null,"code":"server_error"}}',
        { status: 500, headers: { "content-type": "application/json" } },
      );
    },
  });
}

/** `interrupted` is told before what still runs is broken off. */
export async function drain(
  server: Port,
  streams: OpenStreams,
  drainMs: number,
  interrupted: () => void,
): Promise<void> {
  const stopped = server.stop();
  const isDone = await Promise.race([
    stopped.then(() => true),
    new Promise<false>((resolve) => systemTimers.after(drainMs, () => resolve(false))),
  ]);
  if (isDone) return;
  interrupted();
  streams.interrupt();
  await Promise.race([
    stopped,
    new Promise<void>((resolve) => systemTimers.after(interruptGraceMs, resolve)),
  ]);
  await server.stop(true);
}
