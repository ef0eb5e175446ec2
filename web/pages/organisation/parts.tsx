// Views of a role in an organisation.
import type { OwnSeatView } from "../../../src/admin/contract.ts";
import { Badge } from "../../kit/badge.tsx";
import { t } from "./words.ts";

type SeatRole = OwnSeatView["role"];

export function RoleName({ role }: { role: SeatRole }) {
  const isLeading = role === "owner" || role === "admin";
  return <Badge tone={isLeading ? "accent" : "none"}>{t().seats[role]}</Badge>;
}
