// The floor: what the runtime alone costs. It reads the request body whole, sends the same bytes
// with the same headers upstream, and pipes the reply's body back untouched. No parsing, no checks,
// no log.
const upstreamOrigin = process.argv[2] ?? "";

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 120,
  async fetch(request) {
    const headers = new Headers(request.headers);
    headers.delete("host");
    const path = request.url.slice(request.url.indexOf("/", 8));
    const upstream = await fetch(upstreamOrigin + path, {
      method: request.method,
      headers,
      body: await request.arrayBuffer(),
      signal: request.signal,
    });
    const type = upstream.headers.get("content-type") ?? "application/octet-stream";
    return new Response(upstream.body, {
      status: upstream.status,
      headers: { "content-type": type },
    });
  },
});

console.log(JSON.stringify({ port: server.port }));
