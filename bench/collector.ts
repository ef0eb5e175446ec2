// A collector that takes all it is sent and keeps nothing. Prints its port.
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    await request.arrayBuffer();
    return Response.json({});
  },
});
console.log(JSON.stringify({ port: server.port }));
