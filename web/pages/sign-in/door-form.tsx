// A form at the door: its button is as wide as the door.
import type { ComponentChildren } from "preact";
import type { Action } from "../../core/api.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";

interface DoorFormOptions {
  action: Action<void>;
  submit: string;
  children: ComponentChildren;
}

export function DoorForm({ action, submit, children }: DoorFormOptions) {
  const send = (event: Event) => {
    event.preventDefault();
    void action.run();
  };
  return (
    <form class="stack" onSubmit={send}>
      {children}
      <Refusal error={action.error} />
      <div class="wide-buttons">
        <Button kind="main" type="submit" isBusy={action.isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
