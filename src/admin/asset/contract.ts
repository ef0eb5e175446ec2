// Assets as operators see them: whose they are, and where they were registered.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

export const AssetView = Type.Object({
  id: text(),
  account: text(),
  name: text(),
  kind: word("image", "video", "audio"),
  url: text(),
  status: word("processing", "active", "failed"),
  error: orNull(Type.Object({ code: text(), message: text() })),
  group: text(),
  /** Null where no upstream has it. */
  channel_id: orNull(text()),
  /** Null also when the channel is gone. */
  channel: orNull(text()),
  created_at: momentSchema,
  updated_at: momentSchema,
});
export type AssetView = Static<typeof AssetView>;
