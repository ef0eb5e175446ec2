// Rest of the first steps, on the first page until all of it is done or it is dismissed.
import { firstSteps, markStep, useFirstSteps } from "../core/first-steps.ts";
import { addressOf } from "../core/place.ts";
import { Button, LinkButton } from "../kit/button.tsx";
import { Card } from "../kit/figures.tsx";
import { Icon } from "../kit/icon.tsx";
import { titleOf } from "../pages/titles.ts";
import { t } from "./words.ts";

export function Checklist() {
  const words = t();
  const done = useFirstSteps();
  const left = done ? firstSteps.filter((step) => !done[step]) : [];
  if (done === null || left.length === 0) return null;
  const tools = (
    <>
      <LinkButton kind="main" isSmall href={`${addressOf("start")}?step=${left[0]}`}>
        {words.goOn}
      </LinkButton>
      <Button
        kind="plain"
        isSmall
        icon="close"
        label={words.dismiss}
        onClick={() => markStep(...firstSteps)}
      />
    </>
  );
  const note = words.stepsDone(firstSteps.length - left.length, firstSteps.length);
  return (
    <Card title={titleOf("start")} note={note} tools={tools}>
      <ol class="checklist">
        {firstSteps.map((step) => (
          <li key={step} class={done[step] ? "faint" : ""}>
            <span class={done[step] ? "good row" : "faint row"}>
              <Icon name={done[step] ? "check" : "arrow"} />
            </span>
            <a href={`${addressOf("start")}?step=${step}`}>{words.firstSteps[step]}</a>
            {done[step] && <span class="unseen">{words.stepDone}</span>}
          </li>
        ))}
      </ol>
    </Card>
  );
}
