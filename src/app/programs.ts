// The programs of the store, put together from the steps of the rooms whose rows they write.
import { auditEntryStep } from "../admin/audit/queries.ts";
import { redemptionStep } from "../admin/redemption/queries.ts";
import { originStep } from "../distribution/queries.ts";
import { keptAnswerStep } from "../gateway/text/repeat/queries.ts";
import { usageSteps } from "../observe/queries.ts";
import { ledgerProgram, ledgerSteps } from "../quota/queries.ts";
import type { Program } from "../store/step.ts";
import { createStep, taskChangeStep, taskStep } from "../tasks/queries.ts";
import { deliveryStep } from "../tasks/webhooks/queries.ts";

type Programs = Readonly<Record<string, Program>>;

/** A batch of the ledger, with the rows that stand or fall with its money. */
export const mainPrograms: Programs = {
  [ledgerProgram]: [
    ...ledgerSteps,
    taskStep,
    taskChangeStep,
    createStep,
    deliveryStep,
    redemptionStep,
    auditEntryStep,
    originStep,
    keptAnswerStep,
  ],
};

/** Steps that the log takes of the same batches. */
export const logProgram: Program = usageSteps;
