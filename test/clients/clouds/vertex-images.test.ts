// Google's official client, in its Vertex mode, makes images by a prediction.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { GoogleGenAI } from "@google/genai";
import { GoogleGenAI as FormerGenAI } from "@google/genai-2";
import { OAuth2Client } from "google-auth-library";
import { logRow } from "../../harness/books.ts";
import { rootKey } from "../../harness/gateway.ts";
import { decodeBase64Picture } from "../../harness/images/decode.ts";
import { startImages } from "../../harness/images/stand.ts";
import { useStand } from "../../harness/nodes/stand.ts";

setDefaultTimeout(60_000);

const stand = useStand(() => startImages());
const model = "imageA-2";
const prompt = "A fox in the snow";
const path = `/v1/projects/any/locations/global/publishers/google/models/${model}:predict`;

const authClient = new OAuth2Client();
authClient.setCredentials({ access_token: rootKey });
const options = () => ({ vertexai: true, httpOptions: { baseUrl: stand.gateway.url } });
const clients = {
  "an API key": () => new GoogleGenAI({ ...options(), apiKey: rootKey }),
  "a project": () =>
    new GoogleGenAI({
      ...options(),
      project: "any",
      location: "global",
      googleAuthOptions: { authClient },
    }),
  "the major before": () => new FormerGenAI({ ...options(), apiKey: rootKey }),
};

test.each(Object.entries(clients))("N41 I1 generates, with %s", async (_by, client) => {
  const { generatedImages = [] } = await client().models.generateImages({
    model,
    prompt,
    config: { numberOfImages: 2, aspectRatio: "16:9", outputMimeType: "image/jpeg" },
  });
  expect(generatedImages).toHaveLength(2);
  for (const { image } of generatedImages) {
    expect(image?.mimeType).toBe("image/jpeg");
    const { type, width, height } = decodeBase64Picture(image?.imageBytes ?? "");
    expect(type).toBe("jpeg");
    expect(width / height).toBeCloseTo(16 / 9, 2);
  }
});

const asked = (parameters: object = {}, instance: object = { prompt }) => ({
  instances: [instance],
  parameters,
});

describe("a prediction", () => {
  test("N41 I1 is charged and logged as any other request for images", async () => {
    const { key } = await stand.gateway.customer(1e9);
    const predicted = await stand.gateway.post(path, asked({ sampleCount: 2 }), key);
    const plain = await stand.gateway.post("/v1/images/generations", { model, prompt, n: 2 }, key);
    const rows = await Promise.all([predicted, plain].map((one) => logRow(stand.gateway, one)));
    expect(rows[0]).toMatchObject({ model, status: 200, micros: rows[1]?.micros });
    expect(rows[0]?.micros).toBeGreaterThan(0);
  });

  test("N41 N14 that is sent again is the same picture, made once", async () => {
    const again = () =>
      fetch(stand.gateway.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${rootKey}`,
          "content-type": "application/json",
          "idempotency-key": "one prediction",
        },
        body: JSON.stringify(asked()),
      });
    const [first, second] = [await (await again()).json(), await again()];
    expect(second.headers.get("idempotent-replayed")).toBe("true");
    expect(await second.json()).toEqual(first);
  });

  test.each<[object, object, string]>([
    [{}, {}, "prompt"],
    [{ aspectRatio: "7:5" }, { prompt }, "parameters.aspectRatio"],
    [{ sampleImageSize: "2K" }, { prompt }, "parameters.sampleImageSize"],
    [{ negativePrompt: "dogs" }, { prompt }, "parameters.negativePrompt"],
    [{ storageUri: "gs://mine" }, { prompt }, "parameters.storageUri"],
    [{ outputOptions: { mimeType: "png" } }, { prompt }, "parameters.outputOptions.mimeType"],
    [{}, { prompt, image: { bytesBase64Encoded: "" } }, "instances.0.image"],
  ])("N41 I1 with %j and %j is refused by its field, and nothing is sent", async (...row) => {
    const [parameters, instance, field] = row;
    const before = stand.calls.length;
    const reply = await stand.gateway.post(path, asked(parameters, instance));
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { message: string; status: string } };
    expect(error.status).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(field);
    expect(stand.calls).toHaveLength(before);
  });

  test("N41 I1 by a model of ratios has its ratio and its class of size", async () => {
    const name = "imageH-3-pro-image-preview";
    const parameters = { aspectRatio: "4:5", sampleImageSize: "2K" };
    const reply = await stand.gateway.post(path.replace(model, name), asked(parameters));
    expect(reply.status).toBe(200);
    const { predictions } = (await reply.json()) as {
      predictions: { bytesBase64Encoded: string }[];
    };
    expect(predictions).toHaveLength(1);
    const { width, height } = decodeBase64Picture(predictions[0]?.bytesBase64Encoded ?? "");
    expect(width / height).toBeCloseTo(0.8, 1);
  });
});
