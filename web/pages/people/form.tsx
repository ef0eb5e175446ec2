// The fields of an account.
import type { UserView } from "../../../src/admin/contract.ts";
import { useAnswer, type BodyOf } from "../../core/control.ts";
import { isRoot } from "../../core/session.ts";
import { wordsOf } from "../../kit/field.tsx";
import { money, password, rates, select, text } from "../../kit/form-fields.tsx";
import { formOf } from "../../kit/form.tsx";
import { t } from "./words.ts";

type PersonBody = BodyOf<"POST /api/user"> & BodyOf<"PATCH /api/user/{id}">;

function useGroups() {
  const { data } = useAnswer("GET /api/group", { query: { page_size: 100 } });
  const names = (data?.items ?? []).map(({ name }) => [name, name] as const);
  return [["", t().usualGroup], ...names] as const;
}

export const personForm = formOf<PersonBody, UserView>()(
  [
    text("username", {
      isRequired: true,
      hasFocus: true,
      maxLength: 64,
      hint: (isNew) => (isNew ? t().nameHint : undefined),
    }),
    password("password", {
      label: (isNew) => (isNew ? t().password : t().newPassword),
      hint: (isNew) => (isNew ? t().passwordHint : t().newPasswordHint),
    }),
    {
      pair: [
        // Nothing chosen is nothing said: the gateway has a group for new accounts.
        select("group", useGroups, { whenEmpty: {} }),
        // Only root makes admins.
        select("role", () => wordsOf(t().roles), { start: "user", isShown: isRoot }),
      ],
    },
    money("quota_micros", { isShown: (isNew) => isNew }),
    rates({ isShown: (isNew) => !isNew }),
  ],
  t,
);
