// A tap on the line between the gateway and its vendors: it passes everything on, and keeps what
// the gateway sent.
import { isObject, type JsonObject } from "../../src/core/json.ts";

export interface Tap extends AsyncDisposable {
  url: string;
  /** The bodies that were sent, oldest first. */
  bodies: JsonObject[];
  /** The headers of each of them. */
  heads: Headers[];
}

export function startTap(target: string): Tap {
  const bodies: JsonObject[] = [];
  const heads: Headers[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    development: false,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const text = await request.text();
      const body: unknown = text === "" ? null : JSON.parse(text);
      if (isObject(body)) {
        bodies.push(body);
        heads.push(request.headers);
      }
      const { method, headers, signal } = request;
      const isBare = method === "GET" || method === "DELETE";
      const passed = { method, headers, signal, ...(isBare ? {} : { body: text }) };
      const reply = await fetch(target + pathname + search, passed);
      const { status, headers: told } = reply;
      return new Response(reply.body && passOn(reply.body), { status, headers: told });
    },
  });
  return {
    url: server.url.origin,
    bodies,
    heads,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A line that breaks on one side breaks on the other. */
export function passOn(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => reader.cancel(),
  });
}
