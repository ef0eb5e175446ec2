// Rest of the first steps, on the first page until all of it is done or it is dismissed: of whoever
// runs the gateway, and of somebody new to it.
import { useAnswer } from "../core/control.ts";
import { firstSteps, isMarked, markStep, useFirstSteps } from "../core/first-steps.ts";
import { addressOf } from "../core/place.ts";
import { self } from "../core/session.ts";
import { Button, LinkButton } from "../kit/button.tsx";
import { Card } from "../kit/figures.tsx";
import { Icon } from "../kit/icon.tsx";
import { titleOf } from "../pages/titles.ts";
import { t } from "./words.ts";

export function Checklist() {
  const words = t();
  const done = useFirstSteps();
  if (done === null) return null;
  const steps = firstSteps.map((step) => ({
    name: words.firstSteps[step],
    href: `${addressOf("start")}?step=${step}`,
    isDone: done[step],
  }));
  return <Steps steps={steps} onDismiss={() => markStep(...firstSteps)} />;
}

const one = { query: { page_size: 1 } };

/** Nothing for whoever has called the gateway: money may end again, and keys go. */
export function OwnChecklist() {
  const words = t();
  const isOver = isMarked("call");
  const calls = useAnswer(isOver ? null : "GET /api/log/self", one).data;
  const keys = useAnswer(isOver ? null : "GET /api/token", one).data;
  if (!calls || !keys || calls.items.length > 0) return null;
  const left = self.value?.quota_micros ?? null;
  const steps = [
    { name: words.getCredit, href: addressOf("account"), isDone: left === null || left > 0 },
    { name: words.firstSteps.key, href: `${addressOf("keys")}?new=1`, isDone: keys.total > 0 },
    { name: words.firstSteps.call, href: addressOf("playground"), isDone: false },
  ];
  return <Steps steps={steps} onDismiss={() => markStep("call")} />;
}

interface StepsOptions {
  steps: readonly { name: string; href: string; isDone: boolean }[];
  onDismiss(): void;
}

function Steps({ steps, onDismiss }: StepsOptions) {
  const words = t();
  const left = steps.filter(({ isDone }) => !isDone);
  const [next] = left;
  if (!next) return null;
  const tools = (
    <>
      <LinkButton kind="main" isSmall href={next.href}>
        {words.goOn}
      </LinkButton>
      <Button kind="plain" isSmall icon="close" label={words.dismiss} onClick={onDismiss} />
    </>
  );
  const note = words.stepsDone(steps.length - left.length, steps.length);
  return (
    <Card title={titleOf("start")} note={note} tools={tools}>
      <ol class="checklist">
        {steps.map(({ name, href, isDone }) => (
          <li key={name} class={isDone ? "faint" : ""}>
            <span class={isDone ? "good row" : "faint row"}>
              <Icon name={isDone ? "check" : "arrow"} />
            </span>
            <a href={href}>{name}</a>
            {isDone && <span class="unseen">{words.stepDone}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
