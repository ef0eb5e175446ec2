// A wire that takes no small bound on its output gets the least that it takes, and the client is
// told which of its fields was raised.
import { beforeAll, expect, test } from "bun:test";
import { entryOf } from "../../harness/entries.ts";
import { startGateway } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const answer = answers("responses", "Hello.", { input: 10, output: 16 });
const vendor = kept(
  new Vendor((request, reply) => {
    const { max_output_tokens: bound } = request.body;
    if (typeof bound !== "number" || bound >= 16) return answer(request, reply);
    reply.json(
      { error: { message: "integer below minimum value", code: "integer_below_min_value" } },
      400,
    );
  }),
);

const gateway = useStand(() => startGateway({ config: 'sandbox: "off"\n' }));

beforeAll(async () => {
  const channel = vendor.channel({ ...wires.responses.channel, models: ["chatA"] });
  await gateway.control("POST", "/api/channel", channel);
});

const said = [{ role: "user", content: "Hi." }];

test.each([
  ["chat", "/v1/chat/completions", { messages: said, max_tokens: 1 }, "max_tokens"],
  ["messages", "/v1/messages", { messages: said, max_tokens: 5 }, "max_tokens"],
  ["responses", "/v1/responses", { input: "Hi.", max_output_tokens: 2 }, "max_output_tokens"],
])("a small bound of %s is raised to what responses takes, held for and told", async (...row) => {
  const [, path, body, name] = row;
  const response = await gateway.post(path, { model: "chatA", ...body });
  expect(response.status).toBe(200);
  expect(response.headers.get("x-sluice-ignored")).toBe(name);
  expect(vendor.requests.at(-1)?.body).toMatchObject({ max_output_tokens: 16 });
  const entry = await entryOf(gateway, response.headers.get("x-request-id") ?? "");
  expect(entry).toMatchObject({ usage: "10/16/0/0", loss_micros: 0 });
  expect(entry.held_micros).toBeGreaterThanOrEqual(16 * 10);
});

test("a bound that the wire takes is sent as it is, and nothing is told", async () => {
  const body = { model: "chatA", messages: said, max_tokens: 16 };
  const response = await gateway.post("/v1/chat/completions", body);
  expect(response.status).toBe(200);
  expect(response.headers.get("x-sluice-ignored")).toBeNull();
});
