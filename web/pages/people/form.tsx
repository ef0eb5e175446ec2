// The fields of an account.
import type { UserView } from "../../../src/admin/contract.ts";
import type { BodyOf } from "../../core/control.ts";
import { useEvery } from "../../core/lists/every.ts";
import { useRoles } from "../../core/lists/roles.ts";
import { may } from "../../core/session.ts";
import { money, password, rates, select, text } from "../../kit/form-fields.tsx";
import { formOf } from "../../kit/form.tsx";
import { roleName } from "../../kit/page-words.ts";
import { t } from "./words.ts";

type PersonBody = BodyOf<"POST /api/user"> & BodyOf<"PATCH /api/user/{id}">;

function useGroups() {
  const names = useEvery("GET /api/group").rows.map(({ name }) => [name, name] as const);
  return [["", t().usualGroup], ...names] as const;
}

/** Roles that the signed-in person may give. */
function useGiven() {
  return useRoles()
    .filter(({ gives }) => gives)
    .map(({ name }) => [name, roleName(name)] as const);
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
        select("group", useGroups, { whenEmpty: {}, isShown: () => may("groups.write") }),
        select("role", useGiven, { start: "user", isShown: () => may("roles.write") }),
      ],
    },
    money("quota_micros", { isShown: (isNew) => isNew && may("money.write") }),
    rates({ isShown: (isNew) => !isNew }),
  ],
  t,
);
