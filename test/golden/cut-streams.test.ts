// Networks cut streams wherever they like: what a client is sent must not depend on it.
import { expect, test } from "bun:test";
import { clients, dialects } from "./matrix.ts";
import { canOccur, conversionOf, convertStream, scenes } from "./scenes.ts";
import { at } from "./wire/told.ts";

const encoder = new TextEncoder();

for (const dialect of dialects) {
  for (const [scene, stream] of Object.entries(scenes[dialect].streams)) {
    const bytes = encoder.encode(stream);
    const readers = clients.filter((client) => client !== dialect && canOccur(scene, client));

    test(`the stream ${dialect} ${scene} may be cut at every byte`, () => {
      const conversions = readers.map((client) => conversionOf(dialect, client, scene));
      const uncut = conversions.map((conversion) => convertStream(conversion, [bytes]));
      for (const [index, conversion] of conversions.entries()) {
        expect(convertStream(conversion, eachByte(bytes))).toBe(at(uncut, index));
      }
      for (let place = 1; place < bytes.length; place++) {
        // The clients take turns: what is read of the upstream is the same for all of them.
        const index = place % conversions.length;
        const pieces = [bytes.subarray(0, place), bytes.subarray(place)];
        const cut = convertStream(at(conversions, index), pieces);
        expect(cut === uncut[index], `cut at ${place} for ${readers[index]}`).toBe(true);
      }
    });
  }
}

function* eachByte(bytes: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.subarray(at, at + 1);
}
