// A vendor of large images on the OpenAI wire: each answer is one picture, as large as a photograph
// in 4K that is not packed, in base64, whole or as the last event of a stream.

const pictureBytes = 3840 * 2160 * 3;
const pngHead = [
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
];
const pngSize = [0, 0, 0x0f, 0, 0, 0, 0x08, 0x70, 8, 2, 0, 0, 0];
const together = 64 * 1024;

function makePicture(): string {
  const bytes = new Uint8Array(pictureBytes);
  for (let at = 0; at < bytes.length; at += together) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(bytes.length, at + together)));
  }
  bytes.set([...pngHead, ...pngSize]);
  return Buffer.from(bytes).toString("base64");
}

const picture = makePicture();
const whole = Buffer.from(`{"created":1790000000,"data":[{"b64_json":"${picture}"}]}`);
const type = "image_generation.completed";
const event = Buffer.from(`event: ${type}\ndata: {"type":"${type}","b64_json":"${picture}"}\n\n`);

/** In pieces, as a network brings it. */
function send(bytes: Uint8Array<ArrayBuffer>, contentType: string): Response {
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.slice(at, (at += together)));
      if (at >= bytes.length) controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": contentType } });
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  routes: {
    "/v1/images/generations": {
      async POST(request) {
        const { stream } = (await request.json()) as { stream?: boolean };
        const isStream = stream === true;
        return isStream ? send(event, "text/event-stream") : send(whole, "application/json");
      },
    },
  },
});

console.log(JSON.stringify({ port: server.port, pictureBytes, base64Bytes: picture.length }));
