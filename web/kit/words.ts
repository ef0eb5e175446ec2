// Words of the kit itself.
import { firstWords } from "./first-words.ts";

export const t = firstWords("frame", "kit", {
  close: "Close",
  cancel: "Cancel",
  copied: "Copied",
  copyCurl: "Copy as curl",
  tryAgain: "Try again",
  failed: "This could not be loaded",
  requestId: "Request ID",
  code: "Code",
  seeField: "See the marked field.",
  asTable: "As table",
  asChart: "As chart",
  moment: "Time",
  range: "Range",
  fromDay: "From day",
  toDay: "To day",
  days: "Dates",
  zone: (name: string) => `Times are in ${name}`,
  undo: "Undo",
  more: "More actions",
  show: "Show",
  hide: "Hide",
});
