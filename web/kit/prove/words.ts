// Words of the second look that comes before what cannot be taken back.
import { pageWords } from "../page-words.ts";

export const t = pageWords("kitProve", "page", {
  prove: "Confirm it's you",
  proveText: "Enter your password or a code from your authenticator app.",
});
