// The key of a page, for those who are signed in.
import type { SessionKeyNeeds } from "../../admin/key/create-session.ts";
import { pageKeyVerbs } from "../../admin/key/verbs.ts";
import { rowsWith } from "../control-route.ts";
import type { ControlRoute } from "../route.ts";

export function pageKeyRoutes(needs: SessionKeyNeeds): ControlRoute[] {
  const row = rowsWith(needs)("POST", "/api/token/session", "user", pageKeyVerbs.create);
  return [{ ...row, carriers: ["session"] }];
}
