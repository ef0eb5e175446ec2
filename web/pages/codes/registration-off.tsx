// Warning that invitations cannot be used while registration is off, with the way to let people
// register by them.
import { refresh, useAction } from "../../core/api.ts";
import { send } from "../../core/control.ts";
import { loadSite, may, site } from "../../core/session.ts";
import { Button } from "../../kit/button.tsx";
import { Refusal } from "../../kit/failure.tsx";
import { t } from "./words.ts";

export function RegistrationOff() {
  const words = t();
  const allow = useAction(async () => {
    const changes = [{ name: "accounts.registration", value: "invitation" }];
    await send("PATCH /api/setting", { body: { changes } });
    refresh("/api/setting");
    await loadSite();
  });
  if (site.value?.registration !== "off") return null;
  const isChangeable = may("settings.change");
  return (
    <>
      <div class="notice warn" role="status">
        <span class="wrap">{words.registrationOff}</span>
        {isChangeable && (
          <Button isSmall isBusy={allow.isBusy} onClick={() => void allow.run()}>
            {words.allowRegistration}
          </Button>
        )}
      </div>
      <Refusal error={allow.error} />
    </>
  );
}
