// What every dialect's reply becomes for a client of every format, whole and streamed.
import { expect, test } from "bun:test";
import { readEvents } from "../../src/core/sse.ts";
import { formats } from "../../src/formats/index.ts";
import { foldParts } from "../../src/formats/kit/fold.ts";
import { expectGoldenJson, expectGoldenText } from "./golden-file.ts";
import { clients, dialects, frameOf, readBodies, upstreamSide } from "./matrix.ts";
import { canOccur, conversionOf, convertStream, scenes } from "./scenes.ts";

const encoder = new TextEncoder();

for (const dialect of dialects) {
  for (const client of clients) {
    if (client === dialect) continue;
    const name = `${dialect}-to-${client}`;
    const occurs = ([scene]: [string, unknown]) => canOccur(scene, client);

    test(`replies ${name} are as they were read and approved`, async () => {
      const converted: Record<string, unknown> = {};
      for (const [scene, body] of Object.entries(scenes[dialect].wholes).filter(occurs)) {
        const conversion = conversionOf(dialect, client, scene);
        converted[scene] = conversion.convertReply(body, new Uint8Array())?.body ?? null;
      }
      await expectGoldenJson(`replies/${name}.json`, converted);
    });

    test(`streams ${name} are as they were read and approved`, async () => {
      let text = "";
      for (const [scene, stream] of Object.entries(scenes[dialect].streams).filter(occurs)) {
        const conversion = conversionOf(dialect, client, scene);
        text += `=== ${scene}\n\n${convertStream(conversion, [encoder.encode(stream)])}\n`;
      }
      await expectGoldenText(`streams/${name}.txt`, text);
    });
  }
}
