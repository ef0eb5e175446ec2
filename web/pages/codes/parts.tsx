// Shared views of both kinds of codes.
import { Badge, type Tone } from "../../kit/badge.tsx";
import { t } from "./words.ts";

type CodeStatus = "open" | "used" | "redeemed" | "expired";

const tones: Readonly<Record<CodeStatus, Tone>> = {
  open: "good",
  used: "none",
  redeemed: "none",
  expired: "warn",
};

export function CodeState({ status }: { status: CodeStatus }) {
  return <Badge tone={tones[status]}>{t().statuses[status]}</Badge>;
}

export function statusFilter(statuses: readonly CodeStatus[]) {
  const { status: label, anyStatus: all, statuses: words } = t();
  const choices = Object.fromEntries(statuses.map((one) => [one, words[one]]));
  return { name: "status", label, all, choices } as const;
}
