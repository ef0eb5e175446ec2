// How assets are listed, and what the reference says of it.
import type { QueryEntry } from "../../core/reference-entry.ts";
import { text, word } from "../../core/schema-words.ts";
import { removed } from "../contract/basics.ts";
import { byAccount } from "../search.ts";
import { verbsOf } from "../verb.ts";
import { AssetInput, AssetView, OwnAssetView } from "./contract.ts";
import { listAssetViews, listOwnAssetViews } from "./list.ts";
import { addAsset, readOwnAsset, removeAsset, uploadAsset } from "./own.ts";

const { list } = verbsOf("Records");
const own = verbsOf("Own account");

const filter: QueryEntry = {
  id: { schema: text() },
  kind: { schema: word("image", "video", "audio") },
  status: { schema: word("processing", "active", "failed") },
};

export const assetVerbs = {
  list: list("List assets", AssetView, listAssetViews, {
    ...byAccount,
    ...filter,
  }),
  listOwn: own.list("List one's assets", OwnAssetView, listOwnAssetViews, filter),
  add: own.verb("Register an asset by its address", "body", addAsset, {
    description: "It is looked at in the background; requests name it as `asset://` and its id.",
    body: {
      schema: AssetInput,
      example: { url: "https://example.com/cat.png", kind: "image", name: "cat" },
    },
    answer: OwnAssetView,
  }),
  upload: own.verb("Upload an asset", "upload", uploadAsset, {
    description:
      "The body is the file itself: at most 30 MiB of a picture, 50 of a video, 15 of a sound. " +
      "It is kept with other media, and vendors fetch it by a link below `media.public_url`.",
    query: {
      kind: { schema: word("image", "video", "audio"), isRequired: true },
      name: { schema: text(), description: "What you call it." },
    },
    fileTypes: ["image/*", "video/*", "audio/*", "application/octet-stream"],
    answer: OwnAssetView,
  }),
  read: own.verb("Read one of one's assets", "id", readOwnAsset, { answer: OwnAssetView }),
  remove: own.verb("Delete one of one's assets", "id", removeAsset, { answer: removed }),
};
