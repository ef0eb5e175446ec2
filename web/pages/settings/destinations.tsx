// Destinations of notices that are in force, each with a test that says at once whether it arrived.
import type { SettingView } from "../../../src/admin/contract.ts";
import { useAction } from "../../core/api.ts";
import { send, type Answer } from "../../core/control.ts";
import { useState } from "preact/hooks";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { isFields } from "./draft.ts";
import { t } from "./words.ts";

export function Destinations({ setting: { value } }: { setting: SettingView }) {
  const names = (Array.isArray(value) ? value : []).flatMap((one) =>
    isFields(one) && typeof one["name"] === "string" ? [one["name"]] : [],
  );
  if (names.length === 0) return null;
  return (
    <section class="stack">
      <h3>{t().tests}</h3>
      {names.map((name) => (
        <Destination key={name} name={name} />
      ))}
    </section>
  );
}

function Destination({ name }: { name: string }) {
  const words = t();
  const [result, setResult] = useState<Answer<"POST /api/notice/test"> | null>(null);
  const test = useAction(async () => {
    setResult(null);
    setResult(await send("POST /api/notice/test", { body: { destination: name } }));
  });
  return (
    <div class="stack">
      <span>
        <Button icon="send" isBusy={test.isBusy} onClick={() => void test.run()}>
          {words.testOf(name)}
        </Button>
      </span>
      <Refusal error={test.error} />
      {result !== null && (
        <p class={`notice wrap ${result.delivered ? "good" : "bad"}`} role="status">
          {result.delivered ? words.arrived : words.notArrived(result.error ?? "")}
        </p>
      )}
    </div>
  );
}
