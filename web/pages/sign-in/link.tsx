// Sign-in by a one-time link: at once for a visitor, after a question for one who is signed in.
import { useEffect, useState } from "preact/hooks";
import { ApiError, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { forget, half, isLinkOver, link } from "../../core/arrival.ts";
import { enter, self } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Skeleton } from "../../kit/empty.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { t } from "./words.ts";

/** Codes with which a link is refused once and for all. */
const endings: readonly (string | null)[] = [
  "invalid_state",
  "invalid_request",
  "invalid_credentials",
];

async function follow(text: string): Promise<void> {
  try {
    const body = { link: text };
    const entered = await send("POST /api/user/login/link", { body });
    if (!("ticket" in entered)) return await enter();
    half.value = { ticket: entered.ticket, kinds: entered.second_factor };
  } catch (error) {
    const isOver = error instanceof ApiError && endings.includes(error.code);
    if (!isOver) throw error;
    isLinkOver.value = true;
  }
  link.value = null;
}

export function LinkStep({ text }: { text: string }) {
  const [isMeant, setMeant] = useState(!self.peek());
  const action = useAction(() => follow(text));
  useEffect(() => {
    if (isMeant) void action.run();
  }, [isMeant]);
  const who = self.value;
  if (!isMeant && who) {
    return (
      <div class="stack">
        <p class="notice warn" role="status">
          {t().linkOther(who.username)}
        </p>
        <div class="wide-buttons">
          <Button kind="main" onClick={() => setMeant(true)}>
            {t().linkUse}
          </Button>
          <Leave />
        </div>
      </div>
    );
  }
  if (!action.error) return <Skeleton lines={3} height={32} />;
  return (
    <div class="stack">
      <Refusal error={action.error} />
      <div class="wide-buttons">
        <Button kind="main" icon="refresh" onClick={() => void action.run()}>
          {t().linkAgain}
        </Button>
        <Leave />
      </div>
    </div>
  );
}

/** Back to where one was: the page of whoever is signed in, or the form for the password. */
export function Leave() {
  const who = self.value;
  return (
    <Button kind="plain" onClick={forget}>
      {who ? t().stay(who.username) : t().byPassword}
    </Button>
  );
}
