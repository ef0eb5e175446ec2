// Needs of exchanging the secret. The work is the gateway's own.
import type { NotingNeeds } from "../audit/entry.ts";
import type { WorkProgress } from "../progress.ts";
import type { SecretStep } from "./contract.ts";

export interface SecretResult {
  rows: number;
  unreadable: number;
  next: string | null;
}

export type SecretWork = WorkProgress<"rotate", SecretStep, SecretResult>;

export interface SecretNeeds {
  noting: NotingNeeds;
  secrets: {
    readonly place: "file" | "variable";
    readonly hasSecond: boolean;
    readonly obstacle: string | null;
    readonly work: SecretWork | null;
    assertIdle(): void;
    rotate(): SecretWork;
  };
}
