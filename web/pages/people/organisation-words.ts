// Words of the parts of an organisation beside its account.
import { words } from "../../core/words.ts";
import { over } from "../../kit/first-words.ts";
import { t as page } from "./words.ts";

export const t = over(
  page,
  words("people", "organisation", {
    noMembers: "No members.",
    noProjects: "No projects.",
    noBudgets: "No budgets.",
    seats: { owner: "owner", admin: "admin", member: "member", viewer: "viewer" },
  }),
);
