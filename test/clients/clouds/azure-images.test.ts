// The official client of Azure OpenAI makes and edits images at the address of a deployment.
import { expect, setDefaultTimeout, test } from "bun:test";
import { AzureOpenAI, toFile } from "openai";
import { drawPicture } from "../../../sandbox/picture/index.ts";
import { rootKey } from "../../harness/gateway.ts";
import { decodeBase64Picture } from "../../harness/images/decode.ts";
import { startImages } from "../../harness/images/stand.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(60_000);

const stand = useStand(() => startImages());
const prompt = "A fox in the snow";
const drawn = drawPicture({ width: 64, height: 64, format: "png", seed: "fox" });

function client(): AzureOpenAI {
  const { url: endpoint } = stand.gateway;
  const deployment = "imageA-2";
  return new AzureOpenAI({
    apiKey: rootKey,
    endpoint,
    apiVersion: "2025-04-01-preview",
    deployment,
    maxRetries: 0,
  });
}

test("N41 I1 a deployment generates, whatever model the body names", async () => {
  const made = await client().images.generate({
    model: "another",
    prompt,
    size: "1024x1024",
    response_format: "b64_json",
  });
  expect(decodeBase64Picture(made.data?.[0]?.b64_json ?? "").width).toBe(1024);
  expect(stand.calls.at(-1)?.path).toEndWith("/v1/images/generations");
});

test("N41 I5 a deployment edits a form's file", async () => {
  const image = await toFile(Buffer.from(drawn), "fox.png", { type: "image/png" });
  const made = await client().images.edit({
    model: "another",
    prompt,
    image,
    response_format: "b64_json",
  });
  expect(decodeBase64Picture(made.data?.[0]?.b64_json ?? "").type).toBe("png");
  expect(stand.calls.at(-1)?.path).toEndWith("/v1/images/edits");
});

test("N41 N14 an image that is sent again is the same image", async () => {
  const headers = { "Idempotency-Key": "one fox" };
  const asked = { prompt, response_format: "b64_json" } as const;
  const once = await client().images.generate(asked, { headers });
  const before = stand.calls.length;
  const again = await client().images.generate(asked, { headers });
  expect(once.data?.[0]?.b64_json).not.toBeEmpty();
  expect(again.data).toEqual(once.data);
  expect(stand.calls).toHaveLength(before);
});
