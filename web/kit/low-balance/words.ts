// Words of the notice of a low balance, which two pages show.
import { pageWords } from "../page-words.ts";

export const t = pageWords("kitLowBalance", "page", {
  lowBalance: "Low-balance notice",
  noticeSaved: "The notice was saved",
  fields: {
    low_balance_micros: "Warn below",
    notice_url: "Webhook",
  },
  hints: {
    low_balance_micros: "The console shows a bar from then on. Empty: no warning.",
    notice_url: "A public address that is called once when the balance or a key runs low.",
  },
});
