// Every dialect's reply for a client of every format, whole and streamed.
import { describe, expect, test } from "bun:test";
import { readEvents } from "../../src/core/sse.ts";
import type { UpstreamDialect, Reply } from "../../src/formats/exchange.ts";
import { formats } from "../../src/formats/index.ts";
import { isNoAnswer } from "../../src/formats/kit/emptiness.ts";
import { expectTold } from "./expected.ts";
import { expectGoldenJson, expectGoldenText } from "./golden-file.ts";
import {
  clients,
  dialects,
  frameOf,
  sharedDialects,
  upstreamSide,
  type ClientName,
} from "./matrix.ts";
import {
  askOf,
  canOccur,
  conversionOf,
  convertStream,
  foldStream,
  isFault,
  scenes,
} from "./scenes.ts";
import { readers } from "./wire/index.ts";

const encoder = new TextEncoder();

for (const dialect of dialects) {
  for (const client of clients.filter((name) => name !== dialect)) {
    const name = `${dialect}-to-${client}`;

    test(`replies ${name} are as they were read and approved`, async () => {
      const converted: Record<string, unknown> = {};
      for (const [scene, body] of scenesOf(scenes[dialect].wholes, client)) {
        const conversion = conversionOf(dialect, client, scene);
        const reply = conversion.convertReply(body, new Uint8Array());
        const { request } = frameOf(client, askOf(client, scene));
        converted[scene] = reply && !isNoAnswer(reply.observed, request) ? reply.body : null;
      }
      await expectGoldenJson(`replies/${name}.json`, converted);
    });

    test(`streams ${name} are as they were read and approved`, async () => {
      let text = "";
      for (const [scene, stream] of scenesOf(scenes[dialect].streams, client)) {
        text += `=== ${scene}\n\n${streamTo(client, dialect, scene, stream)}\n`;
      }
      await expectGoldenText(`streams/${name}.txt`, text);
    });

    test(`streams ${name} tell the client all of the reply, in the order of its wire`, () => {
      for (const [scene, stream] of scenesOf(scenes[dialect].streams, client)) {
        // A custom tool's input has events of its own, and an error is written by the gateway.
        if (isFault(scene, client, "streamed")) continue;
        if (scene === "custom tool" || scene === "long name") continue;
        // The client that reads inputs as JSON cannot read one that was cut short.
        if (scene === "length" && client === "messages") continue;
        const told = readers[client](streamTo(client, dialect, scene, stream));
        expectTold(told, foldStream(dialect, stream), client);
      }
    });
  }

  describe(`replies of ${dialect}`, () => {
    test("say the same whole and streamed", () => {
      for (const [scene, body] of Object.entries(scenes[dialect].wholes)) {
        const stream = scenes[dialect].streams[scene];
        // A call that was cut short comes whole without its input.
        if (stream === undefined || (dialect === "messages" && scene === "length")) continue;
        expect(plain(foldStream(dialect, stream)), scene).toEqual(
          plain(upstreamSide(dialect).decodeReply(body)),
        );
      }
    });
  });
}

for (const dialect of sharedDialects) {
  test(`replies of ${dialect} are counted alike when they pass through`, () => {
    const format = formats[dialect];
    for (const [scene, body] of Object.entries(scenes[dialect].wholes)) {
      const usage = upstreamSide(dialect).decodeReply(body)?.usage;
      expect(format.readReply(body)?.usage, scene).toEqual(usage ?? null);
      const stream = scenes[dialect].streams[scene];
      if (stream === undefined) continue;
      const observer = format.observe(frameOf(dialect, askOf(dialect, scene)).request);
      for (const event of readEvents(stream)) {
        expect(observer.see(event).kind, scene).not.toBe("fault");
      }
      expect(observer.observed().usage, scene).toEqual(usage ?? null);
    }
  });
}

function scenesOf<Body>(all: Record<string, Body>, client: ClientName): [string, Body][] {
  return Object.entries(all).filter(([scene]) => canOccur(scene, client));
}

function streamTo(
  client: ClientName,
  dialect: UpstreamDialect,
  scene: string,
  stream: string,
): string {
  return convertStream(conversionOf(dialect, client, scene), [encoder.encode(stream)]);
}

/** Inputs of calls are compared as the JSON they are, and so are proofs that are some. */
function plain(reply: Reply | null): unknown {
  return JSON.parse(JSON.stringify(reply), (name, value: unknown) => {
    const isJson = typeof value === "string" && /^\{.*\}$|^\[.*\]$/s.test(value);
    return isJson && (name === "input" || name === "data") ? (JSON.parse(value) as unknown) : value;
  });
}
