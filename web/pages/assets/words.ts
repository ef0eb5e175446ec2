// Words of the page of assets.
import { pageWords } from "../../kit/page-words.ts";

export const t = pageWords("assets", "page", {
  add: "Add asset",
  addTitle: "Add an asset",
  from: "Source",
  file: "File",
  fileHint: "Images up to 30 MB, videos up to 50 MB, audio up to 15 MB.",
  upload: "Upload",
  sent: (part: string, size: string) => `${part} of ${size} sent`,
  kinds: {
    image: "Image",
    video: "Video",
    audio: "Audio",
  },
  statuses: {
    processing: "Processing",
    active: "Ready",
    failed: "Failed",
  },
  whose: "Owner",
  mine: "Mine",
  everyones: "Everyone's",
  inRequests: "Reference",
  copyAsset: "Copy reference",
  created: "Added",
  updated: "Updated",
  gone: "This asset no longer exists",
  removeOf: (name: string) => `Delete ${name}`,
  removeEffect: "Requests that reference it will fail. This cannot be undone.",
  empty: "No assets yet",
  emptyText:
    "Register an image, video or audio file once and reference it in any number of requests.",
  noMatch: "No asset matches",
  noMatchText: "Change the filters.",
  hints: {
    name: "Optional, to help you recognise it.",
    url: "The gateway downloads the file from this URL.",
  },
});
