// The field of a role's permissions: check boxes in groups. What one may not do cannot be chosen.
import type { Permission } from "../../../src/admin/contract.ts";
import { may } from "../../core/session.ts";
import { Check } from "../../kit/field.tsx";
import type { FormField } from "../../kit/form-fields.tsx";
import { areas } from "./areas.ts";
import { t } from "./words.ts";

export const permissionsField: FormField<"permissions", Permission[]> = {
  name: "permissions",
  write: (permissions) => permissions.join(" "),
  read: chosenIn,
  Show: ({ value, onInput, fault }) => {
    const chosen = new Set<string>(chosenIn(value));
    const toggle = (permission: Permission, isOn: boolean) => {
      const others = [...chosen].filter((one) => one !== permission);
      onInput((isOn ? [...others, permission] : others).join(" "));
    };
    return (
      <>
        {areas.map(([area, permissions]) => (
          <fieldset key={area} class="picks">
            <legend>{t().areas[area]}</legend>
            {permissions.map((permission) => (
              <Check
                key={permission}
                label={t().permissionNames[permission]}
                isOn={chosen.has(permission)}
                isDisabled={!may(permission)}
                onChange={(isOn) => toggle(permission, isOn)}
              />
            ))}
          </fieldset>
        ))}
        {fault !== null && <p class="fault">{fault}</p>}
      </>
    );
  },
};

function chosenIn(typed: unknown): string[] {
  return String(typed).split(" ").filter(Boolean);
}
