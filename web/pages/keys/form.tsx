// The fields of a key, for a new one and for one that is there. An empty field is a limit that is
// not set.
import type { KeyView } from "../../../src/admin/contract.ts";
import type { BodyOf } from "../../core/control.ts";
import { scope } from "../../core/scope.ts";
import { may, seatRole } from "../../core/session.ts";
import { areaOf, check, lines, moment, money, rates, text } from "../../kit/form-fields.tsx";
import { formOf } from "../../kit/form.tsx";
import { readCounts, readLines, writeLines } from "../../kit/pair-lines.ts";
import { t } from "./words.ts";

const countLines = { write: writeLines(" = "), read: readCounts("=") };

export const keyForm = formOf<BodyOf<"POST /api/token">, KeyView>()(
  [
    text("name", { isRequired: true, hasFocus: true, maxLength: 64 }),
    text("account", { isShown: (isNew) => isNew && may("keys.write") }),
    text("project", { isShown: () => scope !== null }),
    check("service", [false, true], {
      isShown: (isNew) => isNew && scope !== null && seatRole() !== "member",
    }),
    money("quota_micros", { whenEmpty: { unlimited: true } }),
    {
      more: [
        text("group"),
        moment("expires_at"),
        lines("models"),
        areaOf(
          "model_mapping",
          { write: writeLines(" = "), read: readLines("=") },
          { rows: 2, isMono: true },
        ),
        lines("allow_ips"),
        rates(),
        areaOf("model_requests_per_minute", countLines, { rows: 2, isMono: true }),
        areaOf("model_tokens_per_minute", countLines, { rows: 2, isMono: true }),
        check("log_content", [false, true]),
      ],
    },
  ],
  t,
  ({ group, group_is_own: isOwn }) => ({ group: isOwn ? group : null }),
);
