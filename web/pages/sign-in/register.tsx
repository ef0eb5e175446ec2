// A new account, with an invitation where registration asks for one.
import { useAction } from "../../core/api.ts";
import { send, type BodyOf } from "../../core/control.ts";
import { go, query } from "../../core/place.ts";
import { enter, site } from "../../core/session.ts";
import { password, text } from "../../kit/form-fields.tsx";
import { FormFields, formOf, useForm } from "../../kit/form.tsx";
import { DoorForm } from "./door-form.tsx";
import { t } from "./words.ts";

const invitation = () => query.value.get("invitation") ?? "";

const accountForm = formOf<BodyOf<"POST /api/user/register">, { invitation: string }>()(
  [
    text("username", { isRequired: true, hasFocus: true, autoComplete: "username" }),
    password("password", { isRequired: true, hint: () => t().newPassword }),
    text("email", {
      autoComplete: "email",
      isShown: () => site.value !== null && site.value.email !== "off",
      hint: () => (site.value?.email === "required" ? t().emailRequired : t().emailOptional),
    }),
    text("invitation", {
      isMono: true,
      isShown: () => site.value?.registration !== "open" || invitation() !== "",
    }),
  ],
  t,
);

export function Register() {
  if (site.value?.registration === "off") {
    return (
      <p class="notice warn" role="alert">
        {t().registrationOff}
      </p>
    );
  }
  return <RegisterForm />;
}

function RegisterForm() {
  const forming = useForm(accountForm, { invitation: invitation() });
  const make = useAction(async () => {
    await send("POST /api/user/register", { body: forming.body() });
    go("/");
    await enter();
  });
  return (
    <DoorForm action={make} submit={t().register}>
      <FormFields forming={forming} error={make.error} />
    </DoorForm>
  );
}
