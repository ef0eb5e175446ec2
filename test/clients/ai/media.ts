// Images and documents, from the user and from tools.
import { expect, test } from "bun:test";
import { generateText, isStepCount, tool } from "ai";
import type { Dialect } from "../../../src/formats/exchange.ts";
import { modelOf } from "../../harness/dialects.ts";
import { farImage, png, pngSeen } from "../../harness/samples.ts";
import { type Desk, place } from "./desk.ts";

export function mediaHolds(desk: Desk, dialect: Dialect): void {
  const id = modelOf[dialect];

  test(`T16 images come as bytes and by address, on ${dialect}`, async () => {
    const { sendsAddresses } = desk.client;
    const near = { type: "file" as const, mediaType: "image/png", data: png };
    const far = { type: "file" as const, mediaType: "image/png", data: new URL(farImage) };
    const content = [
      { type: "text" as const, text: "What is on these?" },
      near,
      ...(sendsAddresses ? [far] : []),
    ];
    const { text } = await generateText({
      ...desk.to(id),
      messages: [{ role: "user", content }],
    });
    expect(text).toStartWith(pngSeen);
    expect(text.includes(`at ${farImage}.`)).toBe(sendsAddresses);
  });

  test(`T16 a document comes as it is, on ${dialect}`, async () => {
    const data = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const content = [
      { type: "text" as const, text: "What does it say?" },
      { type: "file" as const, mediaType: "application/pdf", data, filename: "harbour.pdf" },
    ];
    const { text } = await generateText({
      ...desk.to(id),
      messages: [{ role: "user", content }],
    });
    expect(text).toContain("a document of type application/pdf, 14 bytes");
  });

  test(`T16 an image that a tool returns reaches the vendor, on ${dialect}`, async () => {
    const data = { type: "data" as const, data: png };
    const photograph = tool({
      inputSchema: place,
      execute: ({ city }) => city,
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "text", text: `A picture of ${output}` },
          { type: "file", mediaType: "image/png", data },
        ],
      }),
    });
    const ask = { ...desk.to(id), prompt: "Show me Lisbon.", stopWhen: isStepCount(2) };
    const { steps } = await generateText({ ...ask, tools: { photograph } });
    expect(steps).toHaveLength(2);
    const sent = JSON.stringify(desk.stand.tap.bodies.at(-1));
    expect(sent).toContain("A picture of Lisbon");
    expect(sent).toContain(png);
  });
}
