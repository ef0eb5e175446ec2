// A socket for responses.
import { expect, test } from "bun:test";
import { get, type IncomingMessage } from "node:http";
import { rootKey, startGateway } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";

const gateway = useStand(() => startGateway());

interface Refused {
  status: number | undefined;
  body: unknown;
}

/** The answer to a handshake that is refused. */
async function refused(key: string): Promise<Refused> {
  const headers = {
    authorization: `Bearer ${key}`,
    connection: "Upgrade",
    upgrade: "websocket",
    "openai-beta": "responses_websockets=2026-02-06",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${gateway.url}/v1/responses`, { headers }, resolve).on("error", reject);
  const answer = await promise;
  const pieces: Uint8Array[] = await Array.fromAsync(answer);
  return { status: answer.statusCode, body: JSON.parse(Buffer.concat(pieces).toString()) };
}

test("T10 who asks for a WebSocket is answered 426 at once", async () => {
  expect(await refused(rootKey)).toEqual({
    status: 426,
    body: { error: expect.objectContaining({ code: "upgrade_required" }) },
  });
});

test("A4 who asks for a WebSocket with a wrong key is answered 401", async () => {
  expect(await refused("sk-nobody")).toMatchObject({ status: 401 });
});
