// The first steps of whoever runs a new gateway: four, in any order, each of which can be skipped.
import { useState } from "preact/hooks";
import { firstSteps, useFirstSteps, type FirstStep } from "../../core/first-steps.ts";
import { addressOf, go, query, setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { Card } from "../../kit/figures.tsx";
import { Icon } from "../../kit/icon.tsx";
import { later } from "../../kit/later.tsx";
import { Screen } from "../../shell/screen.tsx";
import { titleOf } from "../titles.ts";
import { FirstKey } from "./key.tsx";
import { Secure } from "./secure.tsx";
import { AddVendor } from "./vendor.tsx";
import { t } from "./words.ts";

const FirstCall = later(async () => (await import("./call.tsx")).FirstCall);

export function Page() {
  const words = t();
  const done = useFirstSteps();
  // Secret of the key that was just made, for the first call; gone with the page.
  const [secret, setSecret] = useState<string | null>(null);
  const step = firstSteps.find((one) => one === query.value.get("step")) ?? "secure";
  const next = firstSteps[firstSteps.indexOf(step) + 1];
  const goOn = () => {
    if (next) setQuery({ step: next }, true);
    else go(addressOf("overview"));
  };
  const isDone = done?.[step] === true;
  const tools = (
    <Button kind={isDone ? "main" : "plain"} onClick={goOn}>
      {next ? (isDone ? words.next : words.skip) : words.finish}
    </Button>
  );
  return (
    <Screen title={titleOf("start")}>
      <div class="start">
        <ol class="steps" aria-label={words.list}>
          {firstSteps.map((one, at) => (
            <li key={one}>
              <a
                href={`${addressOf("start")}?step=${one}`}
                aria-current={one === step ? "step" : undefined}
              >
                <span class="mark" data-done={done?.[one] ? "" : undefined}>
                  {done?.[one] ? <Icon name="check" /> : at + 1}
                </span>
                {words.firstSteps[one]}
                {done?.[one] && <span class="unseen">{words.done}</span>}
              </a>
            </li>
          ))}
        </ol>
        <Card title={words.firstSteps[step]} tools={tools}>
          <Step {...{ step, isDone, secret }} onDone={goOn} onMade={setSecret} />
        </Card>
      </div>
    </Screen>
  );
}

interface StepOptions {
  step: FirstStep;
  isDone: boolean;
  secret: string | null;
  onDone(): void;
  onMade(secret: string): void;
}

function Step({ step, isDone, secret, onDone, onMade }: StepOptions) {
  if (step === "secure") return <Secure {...{ isDone, onDone }} />;
  if (step === "vendor") return <AddVendor onDone={onDone} />;
  return step === "key" ? <FirstKey {...{ secret, onMade }} /> : <FirstCall secret={secret} />;
}
