// One capture that goes on: what is kept, until when, and the way to end it.
import type { CaptureView } from "../../src/admin/contract.ts";
import { refresh, useAction } from "../core/api.ts";
import { send } from "../core/control.ts";
import { lately } from "../core/format.ts";
import { Button } from "../kit/button.tsx";
import { t } from "./later-words.ts";

export function Running({ capture }: { capture: CaptureView }) {
  const { id, key_name: key, model, channel, account, taken, requests, until, by } = capture;
  const mayEnd = capture.may_end;
  const stop = useAction(async () => {
    await send("DELETE /api/capture/{id}", { id });
    refresh("/api/capture", "/api/log");
  });
  const words = t();
  const what = [key, model, channel].filter((part) => part !== null).join(" · ");
  const text = words.capturing({
    what: what === "" ? (account ?? words.ofEveryone) : what,
    done: `${taken} / ${requests}`,
    until: lately(until),
    by,
  });
  return (
    <p class="lost watching" role="note">
      <span class="wrap">{text}</span>
      {mayEnd && (
        <Button kind="plain" isSmall isBusy={stop.isBusy} onClick={() => void stop.run()}>
          {words.stopCapture}
        </Button>
      )}
    </p>
  );
}
