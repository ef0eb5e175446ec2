// Entries of the reference on assets.
import type { ReferenceEntry } from "../core/reference-entry.ts";
import { text, word } from "../core/schema-words.ts";
import { Type } from "../core/schema.ts";

const tag = "Assets";

const asset = Type.Object({
  ResponseMetadata: Type.Object({ RequestId: text(), Action: text() }),
  Result: Type.Object({
    Id: text("Named as asset://<Id> in videos."),
    Name: text(),
    URL: text(),
    AssetType: word("image", "video", "audio"),
    Status: word("Processing", "Active", "Failed"),
    Error: Type.Optional(Type.Object({ Code: text(), Message: text() })),
    CreateTime: text(),
    UpdateTime: text(),
  }),
});

export const assetEntries = {
  create: {
    tag,
    summary: "Register a file for videos",
    body: {
      schema: Type.Object({
        url: text("A public http or https address."),
        name: Type.Optional(text()),
        assetType: word("image", "video", "audio"),
      }),
      example: { url: "https://example.com/heron.png", name: "heron", assetType: "image" },
    },
    answer: asset,
  },
  read: {
    tag,
    summary: "Read a registered file",
    query: { id: { schema: text("The bare id."), isRequired: true } },
    answer: asset,
  },
} satisfies Record<string, ReferenceEntry>;
