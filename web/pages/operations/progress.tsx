// Long work of the gateway: how far it is, or how it ended.
import type { ComponentChildren } from "preact";
import type { BackupWorkView } from "../../../src/admin/contract.ts";
import { count } from "../../core/format.ts";
import { Dot, Meter, type Tone } from "../../kit/badge.tsx";
import { Card } from "../../kit/figures.tsx";
import { t } from "./words.ts";

const tones: Record<BackupWorkView["state"], Tone> = {
  running: "accent",
  done: "good",
  failed: "bad",
};

type Work = Pick<BackupWorkView, "state" | "problem" | "steps_done" | "steps_total">;

interface WorkOptions {
  title: string;
  work: Work;
  /** Words of the step that it is at. */
  step: string | null;
  /** Result of it. */
  children: ComponentChildren;
}

export function WorkCard({ title, work, step, children }: WorkOptions) {
  const { state, problem } = work;
  return (
    <Card title={title} note={<Dot tone={tones[state]}>{t().states[state]}</Dot>}>
      {state === "running" && <Steps work={work} step={step} />}
      {problem !== null && (
        <p class="notice bad wrap" role="alert">
          {problem}
        </p>
      )}
      {children}
    </Card>
  );
}

function Steps({ work, step }: Pick<WorkOptions, "work" | "step">) {
  const { steps_done: done, steps_total: total } = work;
  const label = t().progress(count(done), count(total));
  return (
    <div class="stack" role="status">
      {step !== null && <span>{step}</span>}
      <Meter part={done / total} label={label} isProgress />
      <span class="faint number">{label}</span>
    </div>
  );
}
