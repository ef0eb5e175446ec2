// Letters that one may ask for at the door: a new password, or a link that signs in. What is said
// after it is the same whether there is such an account or not.
import { useState } from "preact/hooks";
import { useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { query, setQuery } from "../../core/place.ts";
import { site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { DoorForm } from "./door-form.tsx";
import { t } from "./words.ts";

type AskedLetter = "reset" | "mail";

/** Null where the door is open as usual. */
export function askedLetter(): AskedLetter | null {
  const kind = query.value.get("letter");
  if (kind === "reset" && site.value?.email !== "off") return kind;
  return kind === "mail" && site.value?.mail_link ? kind : null;
}

const addresses = { reset: "POST /api/user/reset", mail: "POST /api/user/login/mail" } as const;

const askForm = formOf<BodyOf<"POST /api/user/reset">>()(
  [text("who", { isRequired: true, hasFocus: true, autoComplete: "username" })],
  t,
);

export function AskLetter({ kind }: { kind: AskedLetter }) {
  const forming = useForm(askForm, null);
  const [isSent, setSent] = useState(false);
  const ask = useAction(async () => {
    await send(addresses[kind], { body: forming.body() });
    setSent(true);
  });
  const back = (
    <Button kind="plain" onClick={() => setQuery({ letter: null })}>
      {t().back}
    </Button>
  );
  if (isSent) {
    return (
      <div class="stack">
        <p class="notice" role="status">
          {t().sent[kind]}
        </p>
        {back}
      </div>
    );
  }
  return (
    <>
      <DoorForm action={ask} submit={t().sendLetter}>
        <p class="quiet">{t().asks[kind]}</p>
        <FormFields forming={forming} error={ask.error} />
      </DoorForm>
      {back}
    </>
  );
}
