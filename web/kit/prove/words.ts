// Words of the second look that comes before what cannot be taken back.
import { pageWords } from "../page-words.ts";

export const t = pageWords("kitProve", "page", {
  prove: "Confirm it's you",
  provePassword: "Enter your password.",
  proveCode: "Enter a code from your authenticator app, or a recovery code.",
  provePaper: "Or enter a recovery code.",
});
