// Box in which the question is written, and sent or stopped.
import { useEffect, useRef } from "preact/hooks";
import { setQuery } from "../../core/place.ts";
import { Button } from "../../kit/button.tsx";
import { isSound } from "./calls.ts";
import { make } from "./run-media.ts";
import { Attach, Attached, take } from "./attach.tsx";
import { askAll } from "./run-text.ts";
import { chosenModels, draft, kindOf, pieces, running, settings, turns } from "./state.ts";
import { newTalk } from "./talks.ts";
import { t } from "./words.ts";

export function Composer() {
  const words = t();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const kind = kindOf();
  const text = draft.value;
  const isRunning = kind === "text" && running.value !== null;
  const canSend =
    text.trim() !== "" && !isRunning && isSound(kind, settings.value, chosenModels()[0] ?? "");
  const label = kind === "text" ? words.write : words.describe;
  const keys = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (canSend) send();
  };
  return (
    <div class="composer">
      <textarea
        ref={box}
        rows={2}
        aria-label={label}
        placeholder={label}
        value={text}
        onInput={(event) => (draft.value = event.currentTarget.value)}
        onKeyDown={keys}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
        onDrop={(event) => takeFiles(event, event.dataTransfer)}
      />
      {kind === "text" && <Attached />}
      <footer>
        {kind === "text" && <Attach />}
        {(kind === "text" ? turns : pieces).value.length > 0 && (
          <Button kind="plain" isSmall onClick={clear}>
            {words.clear}
          </Button>
        )}
        <span class="push" />
        {isRunning ? (
          <Button isSmall icon="stop" onClick={() => running.value?.abort()}>
            {words.stop}
          </Button>
        ) : (
          <Button kind="main" isSmall icon="send" isDisabled={!canSend} onClick={send}>
            {words.send}
          </Button>
        )}
      </footer>
    </div>
  );
}

function send(): void {
  const prompt = draft.value.trim();
  const kind = kindOf();
  const models = chosenModels();
  draft.value = "";
  setQuery({ view: null });
  if (kind === "text") void askAll(models, prompt);
  else void make(kind, models[0] ?? "", prompt);
}

/** Text that is pasted or dropped is the browser's to put in. */
function takeFiles(event: Event, data: DataTransfer | null): void {
  const files = Array.from(data?.files ?? []);
  if (files.length === 0 || kindOf() !== "text") return;
  event.preventDefault();
  void take(files);
}

function clear(): void {
  if (kindOf() === "text") newTalk();
  else pieces.value = pieces.value.filter(({ facts }) => facts.value.state === "running");
}
