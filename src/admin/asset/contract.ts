// Assets as operators see them: whose they are, and where they were registered.
import { invalid } from "../../core/errors.ts";
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { leaders } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed, shownTo } from "../contract/basics.ts";
import { byAccount } from "../search.ts";

const kindSchema = word("image", "video", "audio");
const statusSchema = word("processing", "active", "failed");
const nameCharactersMax = 64;

const assetFields = {
  id: text(),
  name: text(),
  kind: kindSchema,
  url: shownTo("contents.read", text()),
  status: statusSchema,
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

const AssetInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8192, description: "Where the file is." }),
    kind: kindSchema,
    name: Type.Optional(
      Type.String({ maxLength: nameCharactersMax, description: "What you call it." }),
    ),
  },
  { additionalProperties: false },
);

const filter = {
  id: { schema: text() },
  kind: { schema: kindSchema },
  status: { schema: statusSchema },
};

export const assetCalls = {
  list: callsOf("Records").list("GET /api/assets", "List assets", {
    permission: "usage.read",
    item: AssetView,
    filter: { ...byAccount, ...filter },
  }),
};
export type AssetCalls = typeof assetCalls;

const { call, list } = callsOf("Own account");

/** Its body is the file, so its words stand in the query. */
const uploadQuery = {
  kind: { schema: kindSchema, isRequired: true },
  name: {
    schema: text(),
    description: "What you call it.",
    read(name: string, param: string) {
      const trimmed = name.trim();
      if (trimmed.length <= nameCharactersMax) return trimmed;
      throw invalid(param, `must have at most ${nameCharactersMax} characters`);
    },
  },
};

export const ownAssetCalls = {
  list: list("GET /api/asset", "List one's assets", {
    seats: leaders,
    item: OwnAssetView,
    filter,
  }),
  add: call("POST /api/asset", "Register an asset by its address", {
    seats: leaders,
    description: "It is looked at in the background; requests name it as `asset://` and its id.",
    body: bodyOf(AssetInput, { url: "https://example.com/cat.png", kind: "image", name: "cat" }),
    answer: OwnAssetView,
  }),
  upload: call("POST /api/asset/upload", "Upload an asset", {
    seats: leaders,
    description:
      "The body is the file itself: at most 30 MiB of a picture, 50 of a video, 15 of a sound. " +
      "It is kept with other media, and vendors fetch it by a link below `media.public_url`.",
    query: uploadQuery,
    fileTypes: ["image/*", "video/*", "audio/*", "application/octet-stream"],
    answer: OwnAssetView,
  }),
  read: call("GET /api/asset/{id}", "Read one of one's assets", {
    seats: leaders,
    faceless: "The list that pages and commands read has every field of it.",
    answer: OwnAssetView,
  }),
  remove: call("DELETE /api/asset/{id}", "Delete one of one's assets", {
    seats: leaders,
    answer: removed,
  }),
};
export type OwnAssetCalls = typeof ownAssetCalls;
