// Trying a channel out, step by step as it happens: one that is there, or one that is not saved.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChannelTest, ChannelView, TrialStep } from "../../../src/admin/contract.ts";
import { refresh, useAction } from "../../core/api.ts";
import { callEvents } from "../../core/events.ts";
import { millis } from "../../core/format.ts";
import { Dot } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { Select } from "../../kit/field.tsx";
import { t } from "./form-words.ts";

function useTest(path: string) {
  const [steps, setSteps] = useState<readonly TrialStep[]>([]);
  const action = useAction(async (body: unknown) => {
    setSteps([]);
    await callEvents<TrialStep>(path, body, (step) => setSteps((old) => [...old, step]));
    refresh("/api/channel");
  });
  return { steps, action };
}

export function TestChannel({ view, onClose }: { view: ChannelView; onClose(): void }) {
  const words = t();
  const [model, setModel] = useState(view.models[0] ?? "");
  const [key, setKey] = useState("0");
  const { steps, action } = useTest(`/api/channel/${view.id}/test?stream=1`);
  const run = () => void action.run({ model, key: Number(key) });
  const keys = view.keys.map(({ last4 }, at) => [String(at), words.keyOf(at + 1, last4)] as const);
  const footer = (
    <Button kind="main" icon="play" isBusy={action.isBusy} onClick={run}>
      {words.test}
    </Button>
  );
  return (
    <Dialog title={words.testTitle(view.name)} footer={footer} onClose={onClose}>
      <p class="quiet">{words.testHint}</p>
      <div class="pair">
        <Select
          label={words.model}
          value={model}
          options={view.models.map((name) => [name, name] as const)}
          onChange={setModel}
        />
        <Select label={words.key} value={key} options={keys} onChange={setKey} />
      </div>
      <Refusal error={action.error} />
      <Steps steps={steps} />
    </Dialog>
  );
}

export function TestDraft({ bodyOf }: { bodyOf(): object }) {
  const { steps, action } = useTest("/api/channel/test?stream=1");
  const whole = useRef<HTMLDivElement>(null);
  // The form is longer than its dialog, and this is its end.
  useEffect(() => {
    if (steps.length > 0 || action.error) whole.current?.scrollIntoView({ block: "end" });
  }, [steps, action.error]);
  return (
    <div class="stack" ref={whole}>
      <div>
        <Button icon="play" isBusy={action.isBusy} onClick={() => void action.run(bodyOf())}>
          {t().testDraft}
        </Button>
      </div>
      <Refusal error={action.error} />
      <Steps steps={steps} />
    </div>
  );
}

function Steps({ steps }: { steps: readonly TrialStep[] }) {
  const words = t();
  if (steps.length === 0) return null;
  const result = steps.at(-1)?.result;
  return (
    <div class="stack" role="status" aria-label={words.testing}>
      <ol class="steps">
        {steps.map((step, at) => (
          <li key={at}>
            <Dot tone={step.step === "failed" ? "bad" : "good"}>{words.steps[step.step]}</Dot>
            <span class="mono faint cut">{noteOf(step)}</span>
            <span class="push number faint">{millis(step.ms)}</span>
          </li>
        ))}
      </ol>
      {result && <Verdict result={result} />}
    </div>
  );
}

function noteOf({ models, has_model: hasModel, method, url, ...step }: TrialStep): string {
  if (models !== undefined) return t().listed(models, hasModel === true);
  if (url !== undefined) return `${method ?? ""} ${url}`;
  const { message, status, code } = step;
  if (message !== undefined) return message;
  return status === undefined ? (code ?? "") : t().status(status);
}

function Verdict({ result: { ok, checked, message } }: { result: ChannelTest }) {
  return (
    <div class={`notice ${ok ? "good" : "bad"}`}>
      <span class="strong">{ok ? t().checked[checked] : t().refused}</span>
      {(!ok || checked === "answer") && <span class="wrap">{message}</span>}
    </div>
  );
}
