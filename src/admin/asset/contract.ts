// Assets as operators see them: whose they are, and where they were registered.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

const assetFields = {
  id: text(),
  name: text(),
  kind: word("image", "video", "audio"),
  url: text(),
  status: word("processing", "active", "failed"),
  error: orNull(Type.Object({ code: text(), message: text() })),
  group: text(),
  created_at: momentSchema,
  updated_at: momentSchema,
};

/** An asset as its owner sees it: requests name it as `asset://` and its id. */
export const OwnAssetView = Type.Object(assetFields);
export type OwnAssetView = Static<typeof OwnAssetView>;

export const AssetView = Type.Object({
  ...assetFields,
  account: text(),
  /** Null where no upstream has it. */
  channel_id: orNull(text()),
  /** Null also when the channel is gone. */
  channel: orNull(text()),
});
export type AssetView = Static<typeof AssetView>;

export const AssetInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8192, description: "Where the file is." }),
    kind: word("image", "video", "audio"),
    name: Type.Optional(Type.String({ maxLength: 64, description: "What you call it." })),
  },
  { additionalProperties: false },
);
