// Words of the dialog that an invitation into an organisation opens.
import { words } from "../../core/words.ts";
import { over } from "../../kit/first-words.ts";
import { t as shell } from "../words.ts";

interface Offer {
  by: string;
  organisation: string;
  role: string;
}

export const t = over(
  shell,
  words("organisation", "join", {
    title: "An invitation",
    offer: ({ by, organisation, role }: Offer) =>
      `${by} invites you into the organisation ${organisation}, as ${role}.`,
    roles: { owner: "owner", admin: "admin", member: "member", viewer: "viewer" },
    effects: {
      owner: "You will lead it: its money, members, keys and rules.",
      admin: "You will manage its members, projects, keys, budgets and rules.",
      member: "You can make keys that it pays for, within its rules.",
      viewer: "You will see its usage, ledger, members and budgets.",
    },
    join: "Join",
  }),
);
