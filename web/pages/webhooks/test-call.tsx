// A call to try a receiver with: signed like every other, sent once, and shown with what came back.
import { useState } from "preact/hooks";
import type { WebhookTestView } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { millis } from "../../core/format.ts";
import { FormDialog } from "../../kit/dialog.tsx";
import { Facts } from "../../kit/figures.tsx";
import { text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { Body, Headers, Outcome } from "./parts.tsx";
import { t } from "./words.ts";

const testForm = formOf<{ url: string }>()(
  [text("url", { type: "url", isRequired: true, hasFocus: true })],
  t,
);

export function TestCall({ onClose }: { onClose(): void }) {
  const words = t();
  const forming = useForm(testForm, null);
  const [outcome, setOutcome] = useState<WebhookTestView | null>(null);
  const test = useAction(async () => {
    setOutcome(null);
    setOutcome(await send("POST /api/webhook/test", { body: forming.body() }));
  });
  return (
    <FormDialog title={words.testTitle} submit={words.send} action={test} isWide onClose={onClose}>
      <FormFields forming={forming} error={test.error} />
      {outcome && (
        <div class="stack" role="status">
          <Facts
            pairs={[
              [words.answer, <Outcome one={outcome} />],
              [words.took, millis(outcome.took_ms)],
            ]}
          />
          <Headers headers={outcome.headers} />
          <Body text={outcome.body} />
        </div>
      )}
    </FormDialog>
  );
}
